/** A person uses a program that knows Keystead by its recipe: `programs_sign_in.py` runs it, and this. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { ACCOUNT, withoutAutofill } from "../account_pages/person.js";
import { visitRegistered } from "../support/register.js";
import { call, newUser } from "../support/server.js";
import { given, PATIENT } from "../world.js";

const { home, visit } = given;
const PATIENCE = 30_000;

/** Somebody with a passkey, who is not signed in. */
async function somebody() {
  const name = `ada${Date.now()}`;
  const user = await newUser({ userName: name, email: `${name}@example.com` });
  const person = await visitRegistered(await user.link(), { script: withoutAutofill });
  return { user, person, shown: { userName: name, email: `${name}@example.com`, displayName: "Ada Lovelace" }[visit.shows] };
}

/** Presses buttons and links, one after another; of the same name a button. */
async function press(page, names) {
  for (const name of names) {
    const [button, link] = ["button", "link"].map((role) => page.getByRole(role, { name }));
    await button.or(link).first().waitFor();
    await ((await button.count()) ? button : link).first().click();
  }
}

/** Signs in at the program; returns the headings of Keystead that the person saw. */
async function signIn(person, { isFirst }) {
  const { page } = person;
  await page.goto(home + visit.begin);
  await press(page, visit.press ?? []);
  await person.press("Sign in with a passkey");
  if (isFirst) await person.press("Allow");
  await page.waitForURL((url) => url.origin === home && !/[?&](code|access_token)=/.test(url.search), { timeout: PATIENCE });
  await page.waitForLoadState("networkidle"); // the page may still store a token
}

async function isKnown({ page }, shown) {
  await page.goto(home + visit.who);
  await page.getByText(shown).first().waitFor({ state: "attached", timeout: PATIENCE }); // it may be in a menu
}

async function isShown({ page }, shown) {
  const go = () => page.goto(home + visit.who);
  await go().catch(go); // the last redirect of a sign-out can interrupt it
  await page.waitForLoadState("networkidle");
  return page.getByText(shown).count();
}

async function until(isTrue) {
  for (let tries = 0; !(await isTrue()); tries++) {
    assert.ok(tries < 60, "It did not happen in time.");
    await new Promise((resolve) => setTimeout(resolve, 500));
  }
}

/** Signs out. A program without a page for everybody asks for a sign-in at once. */
async function signOut({ page }) {
  await page.goto(home + visit.leave);
  if (visit.pressToLeave) await Promise.all([page.waitForEvent("framenavigated"), press(page, visit.pressToLeave)]);
  if (visit.isAsked) await page.getByRole("button", { name: "Sign out" }).click();
  let before;
  await until(async () => {
    const [now, former] = [page.url(), before];
    before = now;
    return now === former && (now.startsWith(home) || now.startsWith(`${given.origin}/signin/`));
  });
  await page.waitForLoadState("networkidle");
}

async function tokenOf({ clientId, clientSecret }, parameters = {}) {
  const answer = await fetch(`${given.origin}/oauth/token`, {
    method: "POST",
    body: new URLSearchParams({ grant_type: "client_credentials", ...parameters }),
    headers: { authorization: `Basic ${btoa(`${clientId}:${clientSecret}`)}` },
  });
  return (await answer.json()).access_token;
}

async function opens(token) {
  const { status } = await fetch(home + visit.tokens, { headers: token ? { authorization: `Bearer ${token}` } : {} });
  return status;
}

/** A service that calls the program. */
async function caller() {
  const application = { name: "Caller", kind: "APPLICATION_KIND_SERVICE" };
  const { applicationId } = await call("POST", "/v1/applications", { application });
  const { secret } = await call("POST", `/v1/applications/${applicationId}/secrets`, {});
  return { clientId: applicationId, clientSecret: secret };
}

if (visit.tokens)
  test("an access token for the program opens the program", PATIENT, async () => {
    assert.equal(await opens(), 401);
    const service = await caller();
    assert.equal(await opens(await tokenOf(service)), visit.refusal ?? 401);
    assert.equal(await opens(await tokenOf(service, { resource: home })), 200);
  });
else test("a person signs in, out, and in again", PATIENT, async () => {
  const { user, person, shown } = await somebody();
  await signIn(person, { isFirst: true });
  await isKnown(person, shown);

  if (visit.renew) {
    await new Promise((resolve) => setTimeout(resolve, 2000)); // the tokens become old
    await person.page.goto(home + visit.renew);
    await isKnown(person, shown);
  }
  if (visit.leave) {
    await signOut(person);
    const isSignedIn = (await person.page.context().cookies(given.origin)).length > 0;
    assert.equal(isSignedIn, !visit.endsAll);
    assert.equal(await isShown(person, shown), 0);
  }
  await person.page.context().clearCookies();
  await person.page.evaluate(() => localStorage.clear()); // Node-RED keeps its token there
  await signIn(person, { isFirst: false });
  await isKnown(person, shown);

  if (visit.isTold) {
    await call("DELETE", `/v1/users/${user.userId}/sessions`);
    await until(async () => (await isShown(person, shown)) === 0);
  }
  person.faults.length = 0; // of pages of others
});
