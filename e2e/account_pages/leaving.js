import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { call, newUser } from "../support/server.js";
import { PAGE, visit } from "../support/visit.js";
import { given, PLAIN, TIMEOUT } from "../world.js";
import { ACCOUNT, SIGN_IN, registered, signedIn, signInElsewhere, withoutAutofill } from "./person.js";

/** Another tab of the same browser. */
async function secondTab(person, address) {
  return visit(address, { context: person.page.context(), script: withoutAutofill });
}

/** In the page, what the browser does when the person comes back to the tab. */
const comeBack = ({ page }) => page.evaluate(() => document.dispatchEvent(new Event("visibilitychange")));

const shows = (page, text) => page.evaluate((text) => document.documentElement.innerText.includes(text), text);

/** In the page: keeps the text that each page has when the browser shows it, anew or from its cache. */
function keepShown() {
  PublicKeyCredential.isConditionalMediationAvailable = async () => false;
  addEventListener("pageshow", () => (sessionStorage.shown = (sessionStorage.shown ?? "") + document.documentElement.innerText));
}

/** Goes back to these addresses, as people do. Gives the text that the browser showed meanwhile. */
async function goBack({ page }, ...addresses) {
  await page.evaluate(() => sessionStorage.clear());
  for (const address of addresses) {
    await page.evaluate(() => history.back());
    await page.waitForURL(address);
  }
  return page.evaluate(() => sessionStorage.shown + document.documentElement.innerText);
}

describe("after a sign-out, going back shows nothing of the user", () => {
  test("two steps", TIMEOUT, async () => {
    const { user, person } = await signedIn({ script: keepShown });
    await person.page.goto(PAGE);
    await person.page.goto(ACCOUNT);
    await person.page.getByText(user.userName).waitFor();
    await person.press("Sign out");
    await person.page.getByText("You are signed out.").waitFor();

    const shown = await goBack(person, PAGE, SIGN_IN);

    assert.doesNotMatch(shown, new RegExp(user.userName));
  });

  test("one step, from another page", TIMEOUT, async () => {
    const { user, person } = await signedIn({ script: keepShown });
    await person.page.goto(PAGE);
    const other = await secondTab(person, ACCOUNT);
    await other.press("Sign out");
    await other.page.getByText("You are signed out.").waitFor();

    const shown = await goBack(person, SIGN_IN);

    assert.doesNotMatch(shown, new RegExp(user.userName));
  });

  test("in a browser that keeps pages in spite of `no-store`", TIMEOUT, async () => {
    const { user, person } = await signedIn();
    const { page } = person;
    await page.evaluate(() => dispatchEvent(new PageTransitionEvent("pagehide", { persisted: true })));
    assert.equal(await shows(page, user.userName), false);

    await page.evaluate(() => dispatchEvent(new PageTransitionEvent("pageshow", { persisted: true })));

    await page.getByText(user.userName).waitFor();
  });

  test("of an access token", TIMEOUT, async () => {
    const user = await newUser();
    const person = await visit(PAGE, { script: keepShown });
    await person.signIn(await user.token());
    await person.page.goto(SIGN_IN);

    const shown = await goBack(person, PAGE);

    assert.doesNotMatch(shown, /Signed in as/);
    await person.page.getByLabel("Access token").waitFor();
  });
});

describe("going back in the browser", () => {
  test("leads from the form for a passkey to the account, once", TIMEOUT, async () => {
    const { user, person } = await signedIn();
    await person.takesAnotherDevice();
    for (const leave of [
      () => person.page.goBack(),
      () => person.press("Cancel"),
      () => person.press("Create passkey"),
    ]) {
      await person.press("Add a passkey");
      await person.sees("Add a passkey");
      await leave();
      await person.sees("Your account");
    }

    await person.page.getByRole("status").getByText("was added.").waitFor();
    assert.equal((await user.passkeys()).length, 2);
    await person.page.goBack();
    await person.page.waitForURL(given.origin + PLAIN);
  });

  test("leads from the recovery to the sign-in", TIMEOUT, async () => {
    const person = await visit(SIGN_IN, { script: withoutAutofill });
    await person.press("Lost your passkey?");
    await person.page.getByLabel("Mail address").fill("ada@example.com");
    await person.press("Send a link");
    await person.sees("Look into your mailbox");

    await person.page.goBack();

    await person.sees("Sign in");
    assert.equal(person.page.url(), SIGN_IN);
  });

  test("is not needed after a look at the licences, and the link is kept", TIMEOUT, async () => {
    const user = await newUser();
    const person = await visit(await user.link());
    const opened = person.page.context().waitForEvent("page");
    await person.page.getByRole("link", { name: "Licences" }).click();
    await (await opened).close();

    await person.press("Create passkey");

    await person.sees("Your passkey is ready");
  });
});

describe("a page in another tab", () => {
  test("leaves the account when the person signs out", TIMEOUT, async () => {
    const { user, person } = await signedIn();
    const other = await secondTab(person, ACCOUNT);
    await other.page.getByText(user.userName).waitFor();

    await person.press("Sign out");

    await other.page.getByText("You are signed out.").waitFor();
    assert.equal(await shows(other.page, user.userName), false);
  });

  test("leaves the account when it turns out that the session has ended", TIMEOUT, async () => {
    const { user, person } = await signedIn();
    const other = await secondTab(person, ACCOUNT);
    await other.page.getByText(user.userName).waitFor();
    await call("DELETE", `/v1/users/${user.userId}/sessions`);

    await person.press("Sign out");

    await other.page.getByText("Your session has ended.").waitFor();
    await person.page.getByText("Your session has ended.").waitFor();
  });

  test("shows nothing of the user, also when the server cannot be asked", TIMEOUT, async () => {
    const { user, person } = await signedIn();
    const other = await secondTab(person, ACCOUNT);
    await other.page.getByText(user.userName).waitFor();
    await other.page.route("**/GetCurrentUser", (route) => route.abort());

    await person.press("Sign out");

    await other.isTold("The service cannot be reached");
    assert.equal(await shows(other.page, user.userName), false);
  });

  test("shows the account of another user who signs in", TIMEOUT, async () => {
    const { user, person } = await signedIn();
    const { user: second, person: other } = await registered({ context: person.page.context() });

    await other.press("Sign in with a passkey");

    await person.page.getByText(second.userName).waitFor();
    assert.equal(await shows(person.page, user.userName), false);
  });

  test("signs in with the person", TIMEOUT, async () => {
    const { user, person } = await registered();
    const other = await secondTab(person, SIGN_IN);

    await person.press("Sign in with a passkey");

    await other.page.getByText(user.userName).waitFor();
    assert.equal(other.page.url(), ACCOUNT);
  });
});

describe("a person who comes back to the tab", () => {
  test("sees nothing of a session that was ended elsewhere", TIMEOUT, async () => {
    const { user, person } = await signedIn();
    await call("DELETE", `/v1/users/${user.userId}/sessions`);

    await comeBack(person);

    await person.page.getByText("Your session has ended.").waitFor();
    assert.equal(await shows(person.page, user.userName), false);
  });

  test("sees nothing of a token that was revoked", TIMEOUT, async () => {
    const user = await newUser();
    const person = await visit(PAGE);
    await person.signIn(await user.token());
    await user.revoke();

    await comeBack(person);

    await person.isTold("This token is not valid");
    await person.page.getByLabel("Access token").waitFor();
  });

  test("finds the page as it was, while the session continues or the network does not", TIMEOUT, async () => {
    const { person } = await signedIn();
    await person.press("Rename \u2068Laptop\u2069");
    const name = person.page.getByLabel("Name", { exact: true });
    await name.fill("Half a na");

    await person.page.route("**/GetCurrentUser", (route) => route.abort(), { times: 1 });
    for (const _ of ["without an answer", "with one"]) {
      const asked = person.page.waitForEvent("requestfinished").catch(() => undefined);
      const failed = person.page.waitForEvent("requestfailed").catch(() => undefined);
      await comeBack(person);
      await Promise.race([asked, failed]);
    }

    assert.equal(await name.inputValue(), "Half a na");
  });
});
