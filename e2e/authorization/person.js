import assert from "node:assert/strict";
import { createHash, randomBytes, randomUUID } from "node:crypto";
import { call } from "../support/server.js";
import { given, webUrl } from "../world.js";

/** Where the application stands: `atApplication` answers in its place. */
export const CALLBACK = "https://shop.example.com/callback";
const SCOPES = ["openid", "profile", "email", "groups", "offline_access"];
// 16 pixels wide.
export const LOGO =
  "iVBORw0KGgoAAAANSUhEUgAAABAAAAAQCAYAAAAf8/9hAAAAEklEQVR42mNgGAWjYBSMAggAAAQQAAGvRYgsAAAAAElFTkSuQmCC";
export const CONSENT = "Allow access to your account?";

/** A new application; returns its client_id. */
export async function application({ orgId, ...fields } = {}) {
  const regular = { name: "Shop", kind: "APPLICATION_KIND_BROWSER", redirectUris: [CALLBACK], scopes: SCOPES };
  const header = orgId && { "x-service-orgid": orgId };
  return (await call("POST", "/v1/applications", { application: { ...regular, ...fields } }, header)).applicationId;
}

/** A new application that admits nobody. */
export async function closedApplication(fields) {
  const { groupId } = await call("POST", "/v1/groups", { name: `group-${randomUUID()}` });
  return application({ ...fields, allowedGroups: [groupId] });
}

/** A request of the application: its address, and the verifier of the code. */
export function requestOf(clientId, parameters = {}) {
  const verifier = randomBytes(32).toString("base64url");
  const query = new URLSearchParams({
    client_id: clientId,
    redirect_uri: CALLBACK,
    response_type: "code",
    scope: "openid profile",
    state: "a state",
    code_challenge: createHash("sha256").update(verifier).digest("base64url"),
    code_challenge_method: "S256",
    ...parameters,
  });
  return { address: `${given.origin}/oauth/authorize?${query}`, verifier };
}

/** Sends the person from the application to the sign-in; returns the verifier. */
export async function sent(person, clientId, parameters) {
  const { address, verifier } = requestOf(clientId, parameters);
  await person.page.route("https://shop.example.com/**", (route) =>
    route.fulfill({ contentType: "text/html", body: "<!doctype html><title>Shop</title><h1>Shop</h1>" }),
  );
  await person.page.goto(address);
  return verifier;
}

/** Waits until the person is back at the application; returns the parameters of the response. */
export async function returned({ page }) {
  await page.waitForURL(`${CALLBACK}?**`);
  const parameters = Object.fromEntries(new URL(page.url()).searchParams);
  const { state, iss, ...rest } = parameters;
  assert.equal(state, "a state");
  const { issuer } = await (await fetch(`${webUrl}/.well-known/openid-configuration`)).json();
  assert.equal(iss, issuer);
  return rest;
}

/** The tokens for a code. */
export async function tokensOf(clientId, code, verifier) {
  const body = new URLSearchParams({
    grant_type: "authorization_code",
    client_id: clientId,
    redirect_uri: CALLBACK,
    code,
    code_verifier: verifier,
  });
  const answer = await fetch(`${webUrl}/oauth/token`, { method: "POST", body });
  return answer.json();
}

/** Agrees, and returns to the application with a code. */
export async function consents(person) {
  await person.sees(CONSENT);
  await person.press("Allow");
  const { code, ...others } = await returned(person);
  assert.deepEqual(others, {});
  return code;
}
