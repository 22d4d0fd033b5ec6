// One run of k6: some callers repeat one operation over one transport, without pause, for some
// seconds. `load.py` says which, as JSON in BENCH_LOAD, and reads the summary.

import { check } from "k6";
import crypto from "k6/crypto";
import encoding from "k6/encoding";
import http from "k6/http";
import grpc from "k6/net/grpc";

const load = JSON.parse(__ENV.BENCH_LOAD);
const metadata = { authorization: `Bearer ${load.token}` };

export const options = {
  scenarios: {
    all: {
      executor: "ramping-vus", // always as many; "constant-vus" would want a second at least
      startVUs: load.callers,
      stages: [{ target: load.callers, duration: `${load.milliseconds}ms` }],
      gracefulStop: "20s",
    },
  },
  summaryTrendStats: ["count", "p(50)", "p(99)"],
};

// The rows that `database.py` has filled in are numbered.
const idOf = (number) => `00000000-0000-7000-8000-${String(number).padStart(12, "0")}`;
const anyOf = (count, apart = 1) => idOf(apart * Math.floor(Math.random() * count));
const anyIdp = () => anyOf(load.idps, load.idpsApart);

let calls = 0;
// Never the name that it has, so that every call changes something and writes an event.
const newName = () => `Provider ${__VU}-${(calls += 1)}-${Date.now()}`;

// ---- native gRPC

const IDPS = "keystead.idp.v1.IdentityProviderService";
const SMTP = "keystead.smtp.v1.SMTPService";
const PASSKEYS = "keystead.passkey.v1.PasskeyService";
const { StatusOK, StatusAlreadyExists, StatusNotFound } = grpc;

const client = new grpc.Client();
if (load.transport === "grpc") {
  client.load(
    load.protoPaths,
    "keystead/idp/v1/identity_provider_service.proto",
    "keystead/smtp/v1/smtp_service.proto",
    "keystead/passkey/v1/passkey_service.proto",
  );
}
let connected = false;

function invoke(method, request, expected = [StatusOK]) {
  if (!connected) {
    client.connect(load.address, { plaintext: true });
    connected = true;
  }
  const response = client.invoke(method, request, { metadata });
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

// What an authenticator answers. Without attestation nothing in it is signed, so it is that of
// `load.attestation` (CBOR) with another credential id.
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

// How the trailer frame begins; empty when there is no message frame before it. No more than that is
// read: k6 would be the slower part.
const STATUS_OK = "grpc-status: 0\r\n";

function status(body) {
  const view = new DataView(body);
  const at = 5 + view.getUint32(1);
  if (view.getUint8(0) !== 0 || at >= body.byteLength || view.getUint8(at) !== 0x80) return "";
  return String.fromCharCode(...new Uint8Array(body, at + 5, STATUS_OK.length));
}

// ---- JSON

const JSON_CALL = { headers: { ...metadata, "content-type": "application/json" } };

function request(method, path, body) {
  const response = http.request(method, `http://${load.address}${path}`, body, JSON_CALL);
  if (!check(response, { answered: ({ status }) => status === 200 })) {
    console.error(method, path, response.status, response.body);
  }
}

const OPERATIONS = {
  grpc: {
    UpdateIDP: () => invoke(`${IDPS}/UpdateIDP`, { idpId: anyIdp(), name: newName() }),
    GetIDP: () => invoke(`${IDPS}/GetIDP`, { idpId: anyIdp() }),
    // There is one configuration: with many callers most are told that it is set, or not there.
    SMTPConfig: () => {
      invoke(`${SMTP}/AddSMTPConfig`, SMTP_CONFIG, [StatusOK, StatusAlreadyExists]);
      invoke(`${SMTP}/RemoveSMTPConfig`, {}, [StatusOK, StatusNotFound]);
    },
    Passkey: registerPasskey,
  },
  "grpc-web": {
    UpdateIDP: () => invokeWeb(`${IDPS}/UpdateIDP`, message(anyIdp(), newName())),
    GetIDP: () => invokeWeb(`${IDPS}/GetIDP`, message(anyIdp())),
  },
  json: {
    UpdateIDP: () =>
      request("PUT", `/v1/idps/${anyIdp()}`, JSON.stringify({ name: newName() })),
    GetIDP: () => request("GET", `/v1/idps/${anyIdp()}`, null),
  },
};

export default OPERATIONS[load.transport][load.operation];

export function handleSummary({ metrics, state }) {
  const { values } = metrics[load.transport === "grpc" ? "grpc_req_duration" : "http_req_duration"];
  const { passes, fails } = metrics.checks.values;
  return {
    stdout: JSON.stringify({
      requests: values.count,
      succeeded: passes,
      failed: fails,
      seconds: state.testRunDurationMs / 1000,
      p50_ms: values["p(50)"],
      p99_ms: values["p(99)"],
    }),
  };
}
