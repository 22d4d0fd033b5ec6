/** An application that signs people in with `openid-client` of npm: `test_passkey_page.py` runs it. */
import assert from "node:assert/strict";
import { once } from "node:events";
import { readFile } from "node:fs/promises";
import { createServer } from "node:http";
import { createServer as createSecureServer } from "node:https";
import { after, before, describe, test } from "node:test";
import { createRemoteJWKSet, jwtVerify } from "jose";
import * as client from "openid-client";
import { registered, signedIn } from "./account_pages/person.js";
import { call } from "./support/server.js";
import { given, TIMEOUT } from "./world.js";

const INSECURE = { execute: [client.allowInsecureRequests] }; // the server has no TLS
const SCOPE = "openid profile email groups offline_access";

let shop;

before(async () => {
  shop = createServer((request, answer) => answer.end(`<title>Shop</title><h1>Shop</h1>${request.method}`));
  shop.listen(0, "127.0.0.1");
  await once(shop, "listening");
});
after(() => shop.close());

const at = (path) => `http://127.0.0.1:${shop.address().port}${path}`;

/** A new application, and its configuration at `openid-client`. */
async function application(fields, authentication) {
  const { applicationId } = await call("POST", "/v1/applications", {
    application: {
      name: "Shop",
      kind: "APPLICATION_KIND_WEB",
      redirectUris: [at("/callback")],
      postLogoutRedirectUris: [at("/goodbye")],
      scopes: SCOPE.split(" "),
      ...fields,
    },
  });
  const isPublic = fields?.kind === "APPLICATION_KIND_BROWSER";
  const secret = isPublic ? undefined : (await call("POST", `/v1/applications/${applicationId}/secrets`, {})).secret;
  const method = isPublic ? client.None() : (authentication ?? client.ClientSecretBasic)(secret);
  return client.discovery(new URL(given.origin), applicationId, secret, method, INSECURE);
}

/** Starts a request, and returns its address with the checks of its response. */
async function request(config, parameters = {}) {
  const pkceCodeVerifier = client.randomPKCECodeVerifier();
  const checks = { pkceCodeVerifier, expectedState: client.randomState(), expectedNonce: client.randomNonce() };
  const url = client.buildAuthorizationUrl(config, {
    redirect_uri: at("/callback"),
    scope: SCOPE,
    code_challenge: await client.calculatePKCECodeChallenge(pkceCodeVerifier),
    code_challenge_method: "S256",
    state: checks.expectedState,
    nonce: checks.expectedNonce,
    ...parameters,
  });
  return { url: url.href, checks: { ...checks, idTokenExpected: true } };
}

/** The same with a request that the application has pushed to the server. */
async function pushed(config) {
  const { url, checks } = await request(config);
  const parameters = Object.fromEntries(new URL(url).searchParams);
  return { url: (await client.buildAuthorizationUrlWithPAR(config, parameters)).href, checks };
}

/** The tokens of the address at which the browser has arrived. */
async function redeemed(config, person, checks) {
  await person.page.waitForURL((url) => url.pathname === "/callback");
  return client.authorizationCodeGrant(config, new URL(person.page.url()), checks);
}

describe("an application", () => {
  test("signs a person in, reads who it is, refreshes, and signs out", TIMEOUT, async () => {
    const config = await application();
    const { user, person } = await registered();
    const { url, checks } = await request(config, { login_hint: user.userName });

    await person.page.goto(url);
    await person.press("Sign in with a passkey");
    await person.press("Allow");
    const tokens = await redeemed(config, person, checks);

    const { sub, name, preferred_username } = await client.fetchUserInfo(config, tokens.access_token, user.userId);
    assert.deepEqual({ sub, name, preferred_username }, {
      sub: user.userId,
      name: "Ada Lovelace",
      preferred_username: user.userName,
    });
    assert.equal(tokens.claims().acr, "phr");
    const refreshed = await client.refreshTokenGrant(config, tokens.refresh_token);
    assert.equal(refreshed.refresh_token, tokens.refresh_token); // it has a secret
    assert.equal((await client.tokenIntrospection(config, refreshed.access_token)).active, true);
    await client.tokenRevocation(config, refreshed.refresh_token);
    assert.equal((await client.tokenIntrospection(config, refreshed.access_token)).active, false);

    const goodbye = { post_logout_redirect_uri: at("/goodbye"), id_token_hint: tokens.id_token, state: "bye" };
    await person.page.goto(client.buildEndSessionUrl(config, goodbye).href);
    await person.page.waitForURL(at("/goodbye?state=bye"));
    assert.deepEqual(await person.page.context().cookies(), []);
  });

  test("pushes its request, so that the browser sees none of it", TIMEOUT, async () => {
    const config = await application({ firstParty: true });
    const { user, person } = await signedIn();
    const { url, checks } = await pushed(config);

    await person.page.goto(url);
    const tokens = await redeemed(config, person, checks);

    assert.deepEqual([...new URL(url).searchParams.keys()].sort(), ["client_id", "request_uri"]);
    assert.equal(tokens.claims().sub, user.userId);
    await person.page.goto(url);
    await person.sees("This sign-in has ended");
  });

  test("of a browser, without a secret, is allowed once", TIMEOUT, async () => {
    const config = await application({ kind: "APPLICATION_KIND_BROWSER" });
    const { person } = await signedIn();

    for (const isFirst of [true, false]) {
      const { url, checks } = await request(config);
      await person.page.goto(url);
      if (isFirst) await person.press("Allow");
      assert.ok((await redeemed(config, person, checks)).access_token);
    }
    const silent = await request(config, { prompt: "none" });
    await person.page.goto(silent.url);
    assert.ok((await redeemed(config, person, silent.checks)).id_token);
  });

  test("gets the response by a form", TIMEOUT, async () => {
    const config = await application({ firstParty: true }, client.ClientSecretPost);
    const { person } = await signedIn();
    const posted = person.page.waitForRequest((sent) => sent.method() === "POST" && sent.url() === at("/callback"));
    const { url, checks } = await request(config, { response_mode: "form_post" });

    await person.page.goto(url);

    const sent = await posted;
    const response = new Request(sent.url(), {
      method: "POST",
      headers: { "content-type": "application/x-www-form-urlencoded" },
      body: sent.postData(),
    });
    assert.ok((await client.authorizationCodeGrant(config, response, checks)).id_token);
    await person.sees("Shop");
  });

  test("is told of the end of the session, by a logout token", TIMEOUT, async () => {
    const pem = await readFile(given.certificate, "utf8");
    const told = createSecureServer({ key: pem, cert: pem });
    told.listen(0, "127.0.0.1");
    await once(told, "listening");
    const backchannelLogoutUri = `https://localhost:${told.address().port}/logout`;
    const config = await application({ firstParty: true, backchannelLogoutUri });
    const { user, person } = await signedIn();
    const { url, checks } = await request(config);
    await person.page.goto(url);
    const { sid } = (await redeemed(config, person, checks)).claims();

    const received = once(told, "request");
    await call("DELETE", `/v1/users/${user.userId}/sessions/${sid}`);
    const [sent, answer] = await received;
    const content = (await sent.setEncoding("utf8").toArray()).join("");
    answer.writeHead(204).end();
    told.close();

    const { issuer, jwks_uri: keys, backchannel_logout_supported: isSupported } = config.serverMetadata();
    assert.ok(isSupported);
    const { payload } = await jwtVerify(new URLSearchParams(content).get("logout_token"), createRemoteJWKSet(new URL(keys)), {
      issuer,
      audience: config.clientMetadata().client_id,
      typ: "logout+jwt",
      requiredClaims: ["iat", "exp", "jti"],
    });
    assert.deepEqual([payload.sid, payload.sub, payload.nonce], [sid, user.userId, undefined]);
    assert.deepEqual(payload.events, { "http://schemas.openid.net/event/backchannel-logout": {} });
  });

  test("is told that the person refuses", TIMEOUT, async () => {
    const config = await application();
    const { person } = await signedIn();
    const { url, checks } = await request(config);

    await person.page.goto(url);
    await person.press("Cancel");

    await assert.rejects(redeemed(config, person, checks), { error: "access_denied" });
  });
});
