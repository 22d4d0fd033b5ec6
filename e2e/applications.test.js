/** Where an application can stand, and which credentials work there: the table of `docs/api.md`. `test_applications.py` runs it. */
import assert from "node:assert/strict";
import { createHash, createPublicKey } from "node:crypto";
import { readFileSync } from "node:fs";
import { createServer } from "node:http";
import { createServer as createSecureServer } from "node:https";
import { after, before, test } from "node:test";
import { launchChromium, PLATFORM } from "./support/chromium.js";
import { given, PLAIN, TIMEOUT } from "./world.js";

const PEM = readFileSync(given.certificate);
const KEY_HASH = createHash("sha256").update(createPublicKey(PEM).export({ type: "spki", format: "der" })).digest("base64");

const NOT_CALLED = "Failed to fetch";
const NOT_ALLOWED = "SecurityError";
const WORKS = { cookie: 200, ceremony: 200, bearer: 200 };

// By server and place: the results of the session in the cookie, of a ceremony of the page, and of a bearer token.
const PLACES = {
  secure: {
    "https://id.keystead.test": WORKS,
    "https://id.keystead.test:8443": WORKS,
    "https://id.keystead.test:9443": { cookie: NOT_CALLED, ceremony: NOT_CALLED, bearer: NOT_CALLED },
    "https://app.keystead.test": WORKS,
    "https://callonly.keystead.test": { cookie: 200, ceremony: 400, bearer: 200 },
    "https://unlisted.keystead.test": { cookie: NOT_CALLED, ceremony: NOT_CALLED, bearer: NOT_CALLED },
    "https://related.example": { cookie: 401, ceremony: 200, bearer: 200 },
    "https://another.example": { cookie: 401, ceremony: NOT_ALLOWED, bearer: 200 },
  },
  local: {
    [given.local.origin]: WORKS,
    [`http://localhost:${given.listedPort}`]: WORKS,
    [`http://localhost:${given.unlistedPort}`]: { cookie: NOT_CALLED, ceremony: NOT_CALLED, bearer: NOT_CALLED },
    [`http://127.0.0.1:${given.listedPort}`]: { cookie: 401, ceremony: NOT_ALLOWED, bearer: 200 },
    [`http://shop.localhost:${given.listedPort}`]: { cookie: 401, ceremony: NOT_ALLOWED, bearer: 200 },
  },
};

let browser;
const servers = [];
const cookies = []; // of the requests of pages

before(async () => {
  servers.push(createSecureServer({ key: PEM, cert: PEM }, blankPage).listen(given.securePort, "127.0.0.1"));
  for (const port of [given.listedPort, given.unlistedPort]) {
    servers.push(createServer(blankPage).listen(port, "127.0.0.1"));
  }
  const [keystead, pages] = [given.secure.port, given.securePort].map((port) => `127.0.0.1:${port}`);
  const rules = [`MAP id.keystead.test:443 ${keystead}`, ...["*.test", "keystead.test", "*.example"].map((name) => `MAP ${name} ${pages}`)];
  browser = await launchChromium(
    `--host-resolver-rules=${rules.join(",")}`,
    `--ignore-certificate-errors-spki-list=${KEY_HASH}`,
  );
});
after(async () => {
  await browser?.close();
  servers.forEach((server) => server.close());
});

function blankPage({ url, headers }, response) {
  if (url === "/.well-known/webauthn") {
    return response.setHeader("content-type", "application/json").end('{"origins": ["https://related.example"]}');
  }
  cookies.push(headers.cookie ?? "");
  response.setHeader("content-type", "text/html").end("<title>Application</title>");
}

/** A page with an unlocked device. */
async function openPage() {
  const context = await browser.newContext();
  const page = await context.newPage();
  const devTools = await context.newCDPSession(page);
  await devTools.send("WebAuthn.enable");
  await devTools.send("WebAuthn.addVirtualAuthenticator", { options: PLATFORM });
  return page;
}

/** In the page: registers a passkey of the token's user, and signs in with the session in the cookie. */
async function begin({ token }) {
  const call = async (verb, path, body, headers) => {
    const answer = await fetch(path, {
      method: verb,
      body: JSON.stringify(body),
      headers: { "content-type": "application/json", ...headers },
    });
    const content = await answer.json();
    if (!answer.ok) throw new Error(JSON.stringify(content));
    return content;
  };
  const authorization = { authorization: `Bearer ${token}` };
  const me = await (await fetch("/v1/users/me", { headers: authorization })).json();
  const passkeys = `/v1/users/${me.user.userId}/passkeys`;
  const begun = await call("POST", passkeys, {}, authorization);
  const created = await navigator.credentials.create({
    publicKey: PublicKeyCredential.parseCreationOptionsFromJSON(begun.publicKeyCredentialCreationOptions),
  });
  const publicKeyCredential = created.toJSON();
  await call("POST", `${passkeys}/${begun.passkeyId}`, { publicKeyCredential, passkeyName: "Key" }, authorization);
  const { publicKeyCredentialRequestOptions: options } = await call("POST", "/v1/signin/passkey:start", {});
  const got = await navigator.credentials.get({ publicKey: PublicKeyCredential.parseRequestOptionsFromJSON(options) });
  await call("POST", "/v1/signin/passkey", { publicKeyCredential: got.toJSON() }, { "x-keystead-session": "cookie" });
}

/** In the page: uses each credential at the server of this origin. */
async function use({ origin, token }) {
  const result = async (act) => {
    try {
      return (await act()).status;
    } catch (error) {
      return error.name === "TypeError" ? error.message : error.name;
    }
  };
  const post = (path, body) =>
    fetch(origin + path, { method: "POST", headers: { "content-type": "application/json" }, body: JSON.stringify(body) });
  return {
    cookie: await result(() => fetch(`${origin}/v1/sessions/current`, { credentials: "include" })),
    ceremony: await result(async () => {
      const { publicKeyCredentialRequestOptions: options } = await (await post("/v1/signin/passkey:start", {})).json();
      const publicKey = PublicKeyCredential.parseRequestOptionsFromJSON(options);
      const got = await navigator.credentials.get({ publicKey });
      return post("/v1/signin/passkey", { publicKeyCredential: got.toJSON() });
    }),
    bearer: await result(() => fetch(`${origin}/v1/users/me`, { headers: { authorization: `Bearer ${token}` } })),
  };
}

for (const [name, places] of Object.entries(PLACES)) {
  const server = given[name];
  for (const [place, expected] of Object.entries(places)) {
    test(`${place} as an application of ${server.origin}`, TIMEOUT, async () => {
      const page = await openPage();
      await page.goto(server.origin + PLAIN);
      await page.evaluate(begin, server);

      await page.goto(place === server.origin ? place + PLAIN : place);
      const found = await page.evaluate(use, server);

      assert.deepEqual(found, expected);
    });
  }
}

test("the cookie reaches other ports of the same host, which need not be listed", TIMEOUT, async () => {
  for (const [server, elsewhere] of [
    [given.local, `http://localhost:${given.unlistedPort}/`],
    [given.secure, "https://id.keystead.test:9443/"],
  ]) {
    const page = await openPage();
    await page.goto(server.origin + PLAIN);
    await page.evaluate(begin, server);
    cookies.length = 0;

    await page.goto(elsewhere);

    assert.match(cookies[0], /__Host-keystead=kss_/);
  }
});
