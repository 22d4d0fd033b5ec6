// One run of k6: callers repeat one operation over one transport, without pause, for some seconds.
// `load.py` describes the run as JSON in BENCH_LOAD, and reads the summary.

import { check } from "k6";
import crypto from "k6/crypto";
import encoding from "k6/encoding";
import http from "k6/http";
import grpc from "k6/net/grpc";

const load = JSON.parse(__ENV.BENCH_LOAD);
const metadata = { authorization: `Bearer ${load.token}` };

const DURATION = load.transport === "grpc" ? "grpc_req_duration" : "http_req_duration";

export const options = {
  scenarios: {
    all: load.iterations ? {
      executor: "shared-iterations",
      vus: load.callers,
      iterations: load.iterations,
      maxDuration: `${load.iterationsSeconds}s`,
    } : {
      executor: "ramping-vus", // with a constant number; "constant-vus" takes at least a second
      startVUs: load.callers,
      stages: [{ target: load.callers, duration: `${load.milliseconds}ms` }],
      gracefulStop: "20s",
    },
  },
  // k6 reports the durations of one step of an operation only if the step has a threshold.
  thresholds: load.operation === "SignIn" ? {
    [`${DURATION}{step:start}`]: ["max>=0"],
    [`${DURATION}{step:complete}`]: ["max>=0"],
  } : {},
  summaryTrendStats: ["count", "p(50)", "p(99)"],
};

// The rows that `database.py` has filled in are numbered.
const idOf = (number) => `00000000-0000-7000-8000-${String(number).padStart(12, "0")}`;
const anyOf = (count, apart = 1) => idOf(apart * Math.floor(Math.random() * count));
const anyIdp = () => anyOf(load.idps, load.idpsApart);

let calls = 0;
// A new name each time, so that every call writes an event.
const newName = () => `Provider ${__VU}-${(calls += 1)}-${Date.now()}`;

// ---- native gRPC

const IDPS = "keystead.idp.v1.IdentityProviderService";
const SMTP = "keystead.smtp.v1.SMTPService";
const PASSKEYS = "keystead.passkey.v1.PasskeyService";
const SIGN_IN = "keystead.signin.v1.SignInService";
const SESSIONS = "keystead.session.v1.SessionService";
const OAUTH = "keystead.oauth.v1.OAuthService";
const USERS = "keystead.user.v1.UserService";
const GATE = "keystead.gate.v1.GateService";
const { StatusOK, StatusAlreadyExists, StatusNotFound } = grpc;

// Every caller reads the schema itself, so it reads only the file of its operation.
const FILES = {
  UpdateIDP: "keystead/idp/v1/identity_provider_service.proto",
  GetIDP: "keystead/idp/v1/identity_provider_service.proto",
  SMTPConfig: "keystead/smtp/v1/smtp_service.proto",
  Passkey: "keystead/passkey/v1/passkey_service.proto",
  SignIn: "keystead/signin/v1/signin_service.proto",
  StartSignIn: "keystead/signin/v1/signin_service.proto",
  TokenCheck: "keystead/user/v1/user_service.proto",
  SessionCheck: "keystead/user/v1/user_service.proto",
  SessionLookUp: "keystead/session/v1/session_service.proto",
  Introspection: "keystead/session/v1/session_service.proto",
  CodeFlow: "keystead/oauth/v1/oauth_service.proto",
  ClientCredentials: "keystead/oauth/v1/oauth_service.proto",
  Refresh: "keystead/oauth/v1/oauth_service.proto",
  GateCheck: "keystead/gate/v1/gate_service.proto",
};
const client = new grpc.Client();
if (load.transport === "grpc") client.load(load.protoPaths, FILES[load.operation]);
let connected = false;

function invoke(method, request, { expected = [StatusOK], ...parameters } = {}) {
  if (!connected) {
    client.connect(load.address, { plaintext: true });
    connected = true;
  }
  const response = client.invoke(method, request, { metadata, ...parameters });
  if (!check(response, { answered: ({ status }) => expected.includes(status) })) {
    console.error(method, JSON.stringify(response.error));
  }
  return response.message;
}

function registerPasskey() {
  const userId = anyOf(load.users);
  const begun = invoke(`${PASSKEYS}/RegisterPasskey`, { userId });
  invoke(`${PASSKEYS}/VerifyPasskeyRegistration`, {
    userId,
    passkeyId: begun.passkeyId,
    publicKeyCredential: credential(begun.publicKeyCredentialCreationOptions),
    passkeyName: "Passkey",
  });
}

// The answer of an authenticator. Without attestation nothing in it is signed, so it is
// `load.attestation` (CBOR) with another credential ID.
function credential(creationOptions) {
  const id = crypto.randomBytes(load.attestation.idLength);
  const attestation = new Uint8Array(encoding.b64decode(load.attestation.object));
  attestation.set(new Uint8Array(id), load.attestation.idOffset);
  const clientData = JSON.stringify({
    type: "webauthn.create",
    challenge: creationOptions.challenge,
    origin: load.attestation.origin,
    crossOrigin: false,
  });
  return {
    id: encoding.b64encode(id, "rawurl"),
    rawId: encoding.b64encode(id, "rawurl"),
    type: "public-key",
    authenticatorAttachment: "platform",
    clientExtensionResults: {},
    response: {
      clientDataJSON: encoding.b64encode(clientData, "rawurl"),
      attestationObject: encoding.b64encode(attestation.buffer, "rawurl"),
      transports: ["internal", "hybrid"],
    },
  };
}

const SMTP_CONFIG = {
  senderAddress: "noreply@example.com",
  senderName: "Example",
  tls: true,
  host: "smtp.example.com:587",
  user: "mailer",
  password: "mail-password",
};

// The assertion (ES256) of the passkey of any user. All passkeys have the same key.
const WITHOUT_TOKEN = { metadata: {} };
const START = { ...WITHOUT_TOKEN, tags: { step: "start" } };
const COMPLETE = { ...WITHOUT_TOKEN, tags: { step: "complete" } };
const { subtle } = globalThis.crypto;
const ES256 = { name: "ECDSA", namedCurve: "P-256", hash: "SHA-256" };
let key;

async function assertion(requestOptions) {
  key ??= await subtle.importKey("jwk", load.passkey.key, ES256, false, ["sign"]);
  const number = Math.floor(Math.random() * load.users);
  const id = encoding.b64encode(crypto.md5(`passkey ${number}`, "binary"), "rawurl");
  const clientData = JSON.stringify({
    type: "webauthn.get",
    challenge: requestOptions.challenge,
    origin: load.passkey.origin,
    crossOrigin: false,
  });
  const [userPresentAndVerified, signCount] = [0x05, [0, 0, 0, 0]];
  const authenticatorData = [
    ...new Uint8Array(crypto.sha256(load.passkey.rpId, "binary")),
    userPresentAndVerified,
    ...signCount,
  ];
  const hash = new Uint8Array(crypto.sha256(clientData, "binary"));
  const signed = new Uint8Array([...authenticatorData, ...hash]);
  const signature = der(new Uint8Array(await subtle.sign(ES256, key, signed)));
  return {
    id,
    rawId: id,
    type: "public-key",
    authenticatorAttachment: "platform",
    clientExtensionResults: {},
    response: {
      clientDataJSON: encoding.b64encode(clientData, "rawurl"),
      authenticatorData: base64url(authenticatorData),
      signature: base64url(signature),
      userHandle: encoding.b64encode(crypto.md5(String(number), "binary"), "rawurl"),
    },
  };
}

const base64url = (bytes) => encoding.b64encode(new Uint8Array(bytes).buffer, "rawurl");

// Web Crypto returns r and s; WebAuthn needs the ASN.1 SEQUENCE of both.
function der(signature) {
  const integers = [...integer(signature.subarray(0, 32)), ...integer(signature.subarray(32))];
  return [0x30, integers.length, ...integers];
}

function integer(bytes) {
  const digits = [...bytes.subarray(bytes.findIndex((each) => each !== 0))];
  if (digits[0] & 0x80) digits.unshift(0);
  return [0x02, digits.length, ...digits];
}

async function signIn() {
  const begun = invoke(`${SIGN_IN}/StartPasskeySignIn`, {}, START);
  const publicKeyCredential = await assertion(begun.publicKeyCredentialRequestOptions);
  invoke(`${SIGN_IN}/CompletePasskeySignIn`, { publicKeyCredential }, COMPLETE);
}

async function signInByJson() {
  const headers = { "content-type": "application/json" };
  const begun = request("POST", "/v1/signin/passkey:start", "{}", { headers, tags: START.tags });
  const publicKeyCredential = await assertion(begun.json().publicKeyCredentialRequestOptions);
  const body = JSON.stringify({ publicKeyCredential });
  request("POST", "/v1/signin/passkey", body, { headers, tags: COMPLETE.tags });
}

const anySessionToken = () =>
  load.sessionTokens[Math.floor(Math.random() * load.sessionTokens.length)];

// As Chromium asks for a page, with the cookie of any of the people.
const PAGE_HEADERS = [
  ["accept", "text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,image/webp,*/*;q=0.8"],
  ["accept-encoding", "gzip, deflate, br, zstd"],
  ["accept-language", "en-GB,en;q=0.9"],
  ["sec-fetch-dest", "document"],
  ["sec-fetch-mode", "navigate"],
  ["sec-fetch-site", "same-origin"],
  ["upgrade-insecure-requests", "1"],
  ["user-agent", "Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0"],
].map(([key, value]) => ({ key, value }));

function anyPage() {
  const cookie = load.gateCookies[Math.floor(Math.random() * load.gateCookies.length)];
  const headers = [...PAGE_HEADERS, { key: "cookie", value: `__Host-keystead-gate=${cookie}` }];
  const http = { method: "GET", scheme: "https", host: load.gateHost, path: "/dashboards?from=now", headers };
  return { attributes: { request: { http } } };
}

function checkPage() {
  const { status } = invoke(`${GATE}/Check`, anyPage());
  if (status?.code) throw new Error(`the gate is closed: ${status.code}`);
}

const ofAnySession = () => ({ metadata: { authorization: `Bearer ${anySessionToken()}` } });

// ---- applications

const VERIFIER = "the code verifier of all flows, which are of one application";
const REQUEST = {
  clientId: load.web.client_id,
  redirectUri: load.redirectUri,
  responseType: "code",
  scope: load.scope,
  state: "state",
  nonce: "nonce",
  codeChallenge: crypto.sha256(VERIFIER, "base64rawurl"),
  codeChallengeMethod: "S256",
};

// The parts of an exchange that are the same in every call.
const exchange = (grantType, { client_id: clientId, secret: clientSecret }) => ({ grantType, clientId, clientSecret });
const CREDENTIALS = exchange("client_credentials", load.service);

/** Methods of OAuthService over gRPC, by their names. */
const oauthCall = (name, request, parameters = WITHOUT_TOKEN) => invoke(`${OAUTH}/${name}`, request, parameters);

const PATHS = {
  StartAuthorization: "authorizations:start",
  ApproveAuthorization: "authorizations:approve",
  ExchangeToken: "tokens:exchange",
};

/** The same methods over JSON. */
function oauthCallByJson(name, body, { metadata = {} } = WITHOUT_TOKEN) {
  const headers = { "content-type": "application/json", ...metadata };
  return request("POST", `/v1/oauth/${PATHS[name]}`, JSON.stringify(body), { headers }).json();
}

// The person is signed in, and has agreed before.
function codeFlow(call) {
  const { sealedRequest } = call("StartAuthorization", REQUEST);
  const { redirectUri } = call("ApproveAuthorization", { sealedRequest }, ofAnySession());
  const [, code] = redirectUri.match(/[?&]code=([^&]*)/);
  const fields = { code, redirectUri: load.redirectUri, codeVerifier: VERIFIER };
  call("ExchangeToken", { ...exchange("authorization_code", load.web), ...fields });
}

let refreshToken = load.refreshTokens[__VU - 1];

function refresh(call) {
  ({ refreshToken } = call("ExchangeToken", { ...exchange("refresh_token", load.web), refreshToken }));
}

// ---- grpc-web

// The fields 1, 2, ... of a message, all strings of less than 128 ASCII characters.
function message(...strings) {
  const bytes = [];
  strings.forEach((string, index) => {
    bytes.push(((index + 1) << 3) | 2, string.length);
    for (let at = 0; at < string.length; at += 1) bytes.push(string.charCodeAt(at));
  });
  return bytes;
}

const GRPC_WEB = {
  headers: { ...metadata, "content-type": "application/grpc-web+proto", "x-grpc-web": "1" },
  responseType: "binary",
};

function invokeWeb(method, bytes) {
  const frame = new Uint8Array([0, 0, 0, bytes.length >> 8, bytes.length & 255, ...bytes]);
  const response = http.post(`http://${load.address}/${method}`, frame.buffer, GRPC_WEB);
  if (!check(response, { answered: ({ body }) => body && status(body) === STATUS_OK })) {
    console.error(method, response.status, JSON.stringify(response.headers));
  }
}

const STATUS_OK = "grpc-status: 0\r\n";

// The beginning of the trailer frame; empty without a message frame before it. It reads nothing else,
// so that k6 is not slower than the server.
function status(body) {
  const view = new DataView(body);
  const at = 5 + view.getUint32(1);
  if (view.getUint8(0) !== 0 || at >= body.byteLength || view.getUint8(at) !== 0x80) return "";
  return String.fromCharCode(...new Uint8Array(body, at + 5, STATUS_OK.length));
}

// ---- JSON

const JSON_CALL = { headers: { ...metadata, "content-type": "application/json" } };

function request(method, path, body, parameters = JSON_CALL) {
  const response = http.request(method, `http://${load.address}${path}`, body, parameters);
  if (!check(response, { answered: ({ status }) => status === 200 })) {
    console.error(method, path, response.status, response.body);
  }
  return response;
}

const OPERATIONS = {
  grpc: {
    UpdateIDP: () => invoke(`${IDPS}/UpdateIDP`, { idpId: anyIdp(), name: newName() }),
    GetIDP: () => invoke(`${IDPS}/GetIDP`, { idpId: anyIdp() }),
    // There is one configuration, so with many callers most calls end as ALREADY_EXISTS or NOT_FOUND.
    SMTPConfig: () => {
      invoke(`${SMTP}/AddSMTPConfig`, SMTP_CONFIG, { expected: [StatusOK, StatusAlreadyExists] });
      invoke(`${SMTP}/RemoveSMTPConfig`, {}, { expected: [StatusOK, StatusNotFound] });
    },
    Passkey: registerPasskey,
    SignIn: signIn,
    StartSignIn: () => invoke(`${SIGN_IN}/StartPasskeySignIn`, {}, WITHOUT_TOKEN),
    TokenCheck: () => invoke(`${USERS}/GetCurrentUser`, {}),
    SessionCheck: () => invoke(`${USERS}/GetCurrentUser`, {}, ofAnySession()),
    SessionLookUp: () => invoke(`${SESSIONS}/GetCurrentSession`, {}, ofAnySession()),
    Introspection: () =>
      invoke(`${SESSIONS}/IntrospectSession`, { sessionToken: anySessionToken() }),
    CodeFlow: () => codeFlow(oauthCall),
    ClientCredentials: () => oauthCall("ExchangeToken", CREDENTIALS),
    Refresh: () => refresh(oauthCall),
    GateCheck: checkPage,
  },
  "grpc-web": {
    UpdateIDP: () => invokeWeb(`${IDPS}/UpdateIDP`, message(anyIdp(), newName())),
    GetIDP: () => invokeWeb(`${IDPS}/GetIDP`, message(anyIdp())),
    StartSignIn: () => invokeWeb(`${SIGN_IN}/StartPasskeySignIn`, []),
  },
  json: {
    UpdateIDP: () =>
      request("PUT", `/v1/idps/${anyIdp()}`, JSON.stringify({ name: newName() })),
    GetIDP: () => request("GET", `/v1/idps/${anyIdp()}`, null),
    SignIn: signInByJson,
    StartSignIn: () => request("POST", "/v1/signin/passkey:start", "{}"),
    CodeFlow: () => codeFlow(oauthCallByJson),
    ClientCredentials: () => oauthCallByJson("ExchangeToken", CREDENTIALS),
    Refresh: () => refresh(oauthCallByJson),
  },
};

export default OPERATIONS[load.transport][load.operation];

export function handleSummary({ metrics, state }) {
  const { values } = metrics[DURATION];
  const timed = (metrics[`${DURATION}{step:complete}`] ?? metrics[DURATION]).values;
  const { passes, fails } = metrics.checks.values;
  return {
    stdout: JSON.stringify({
      requests: values.count,
      succeeded: passes,
      failed: fails,
      seconds: state.testRunDurationMs / 1000,
      p50_ms: timed["p(50)"],
      p99_ms: timed["p(99)"],
      start_p99_ms: metrics[`${DURATION}{step:start}`]?.values["p(99)"],
    }),
  };
}
