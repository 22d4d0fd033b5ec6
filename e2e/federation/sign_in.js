import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { ACCOUNT, SIGN_IN, registered, withoutStorage } from "../account_pages/person.js";
import { UNAUTHENTICATED } from "../support/codes.js";
import { refuse } from "../support/forged_answers.js";
import { logIn, organization, organizationWithTwoPages, passProvider, provider, providerButtons, signInPage, unique, visitor, within } from "./person.js";
import { TIMEOUT } from "../world.js";

const BUTTON = "Sign in with Example";
// 16 pixels wide.
const LOGO =
  "iVBORw0KGgoAAAANSUhEUgAAABAAAAAQCAYAAAAf8/9hAAAAEklEQVR42mNgGAWjYBSMAggAAAQQAAGvRYgsAAAAAElFTkSuQmCC";

/** Providers whose issuer tells the preset; the last two have no logo of the pages. */
const WELL_KNOWN = [
  ["Google", "https://accounts.google.com"],
  ["Microsoft", "https://login.microsoftonline.com/9188040d-6c67-4c5b-b112-36a304b66dad/v2.0", { backgroundColor: "#2f2f2f", textColor: "#ffffff" }],
  ["GitLab", "https://gitlab.com", { backgroundColor: "#171321", textColor: "#ffffff" }],
  ["GitLab of a very long team that has a name in many words, so that it needs lines", "https://gitlab.example.com"],
  ["Okta", "https://example.okta.com"],
  ["Auth0", "https://example.eu.auth0.com/"],
  ["Keycloak", "https://login.example.com/realms/main"],
  ["authentik", "https://login.example.com/application/o/keystead/"],
  ["Own logo", "https://gitlab.com", { logo: LOGO }],
  ["Zitadel", "https://example.zitadel.cloud"],
];

/** Somebody whom the provider has just registered in a new organization. */
async function newcomer() {
  const { orgId } = await organization();
  const login = unique();
  const person = await visitor(orgId);
  await person.press(BUTTON);
  await passProvider(person, login);
  await person.sees("Your account");
  return { orgId, login, person, page: person.page };
}

describe("a person whom the provider knows", () => {
  test("is registered, signs out, and signs in again as the same user", TIMEOUT, async () => {
    const { orgId, login, person, page } = await newcomer();

    assert.equal(page.url(), ACCOUNT);
    await page.getByText("Add one to sign in without your provider.").waitFor();
    const session = page.getByRole("list", { name: "Where you are signed in" }).getByRole("listitem").first();
    assert.match(await session.innerText(), /^Chrome on Linux/);
    const { users } = await within(orgId, "GET", "/v1/users");
    assert.deepEqual(users.map(({ email }) => email), [`${login}@example.com`]);
    await person.press("Sign out");
    await person.sees("Sign in");
    await person.press(BUTTON); // of the organization that the browser remembers
    await person.sees("Your account");
    assert.equal((await within(orgId, "GET", "/v1/users")).users.length, 1);
  });

  test("signs in at the provider again where a change needs a recent sign-in, and then adds a passkey", TIMEOUT, async () => {
    const { orgId, login, person, page } = await newcomer();
    await refuse(page, "RegisterPasskey", UNAUTHENTICATED, "REAUTHENTICATION_REQUIRED", { times: 1 });

    await person.press("Add a passkey");
    await person.press("Create passkey");
    await person.press("Sign in with your provider again");
    await logIn(person, login);
    await person.sees("Your account");
    await person.press("Add a passkey");
    await person.press("Create passkey");

    await page.getByRole("status").getByText("was added").waitFor();
    assert.equal((await within(orgId, "GET", "/v1/users")).users.length, 1);
  });

  test("leaves nothing of the flow in the browser, and the session where no script sees it", TIMEOUT, async () => {
    const { orgId } = await organization();
    const person = await visitor(orgId);
    const { page } = person;
    const visited = [];
    page.on("framenavigated", (frame) => visited.push(frame.url()));

    await person.press(BUTTON);
    await passProvider(person, unique());
    await person.sees("Your account");

    const kept = await page.evaluate(() => JSON.stringify([{ ...sessionStorage }, document.cookie, history.state]));
    assert.equal(kept, '[{},"",null]');
    const cookies = await page.context().cookies();
    const cookie = cookies.find(({ domain, name }) => domain === "localhost" && name === "__Host-keystead");
    assert.equal(cookie.httpOnly, true);
    await page.goBack();
    assert.doesNotMatch(page.url(), /code=|state=/);
  });

  test("is refused where the provider registers nobody", TIMEOUT, async () => {
    const { orgId } = await organization({ autoRegister: false });
    const person = await visitor(orgId);

    await person.press(BUTTON);
    await passProvider(person, unique());

    await person.sees("There is no account for you here yet");
    await person.press("Back to signing in");
    await person.sees("Sign in");
    assert.deepEqual((await within(orgId, "GET", "/v1/users")).users ?? [], []);
  });

  test("does not get the account of another user with the same mail address", TIMEOUT, async () => {
    const { orgId } = await organization();
    const login = unique();
    await within(orgId, "POST", "/v1/users", { userName: unique(), email: `${login}@example.com` });
    const person = await visitor(orgId);

    await person.press(BUTTON);
    await passProvider(person, login);

    await person.sees("You have an account here already");
  });

  test("is told that the provider refused, after cancelling there", TIMEOUT, async () => {
    const { orgId } = await organization();
    const person = await visitor(orgId);

    await person.press(BUTTON);
    await person.page.getByRole("link", { name: /Cancel/ }).click();

    await person.sees("The provider did not let you through");
  });
});

describe("a link to the sign-in of an organization", () => {
  /** The number of providers that the sign-in page offers without an organization in its address. */
  async function offeredLater({ page }) {
    await page.goto(SIGN_IN);
    await page.waitForLoadState("networkidle");
    return page.locator("button.provider").count();
  }

  test("is forgotten by a person who only looks at it, or is not let through", TIMEOUT, async () => {
    const { orgId } = await organization({ autoRegister: false });
    const person = await visitor(orgId);
    await person.page.getByRole("button", { name: BUTTON }).waitFor();
    assert.equal(await offeredLater(person), 0);

    await person.page.goto(signInPage(orgId));
    await person.press(BUTTON);
    await passProvider(person, unique());
    await person.sees("There is no account for you here yet");

    assert.equal(await offeredLater(person), 0);
  });

  test("is forgotten by a person who signs in with the passkey of another organization", TIMEOUT, async () => {
    const { orgId } = await organization();
    const { person } = await registered();
    await person.page.goto(signInPage(orgId));
    await person.page.getByRole("button", { name: BUTTON }).waitFor();
    await person.press("Sign in with a passkey");
    await person.sees("Your account");
    await person.press("Sign out");
    await person.sees("Sign in");

    assert.equal(await offeredLater(person), 0);
  });

  test("is remembered by a person who signs in with its provider, and then visits others", TIMEOUT, async () => {
    const [own, foreign] = [await organization(), await organization({ name: "Foreign" })];
    const person = await visitor(own.orgId);
    await person.press(BUTTON);
    await passProvider(person, unique());
    await person.sees("Your account");
    await person.page.goto(signInPage(foreign.orgId));
    await person.page.getByRole("button", { name: "Sign in with Foreign" }).waitFor();

    assert.equal(await offeredLater(person), 1);
    await person.page.getByRole("button", { name: BUTTON }).waitFor();
  });

  test("says that storage is blocked, which a provider needs and a passkey does not", TIMEOUT, async () => {
    const { orgId } = await organization();
    const person = await visitor(orgId, { script: withoutStorage });

    await person.press(BUTTON);

    await person.isTold("This browser blocks storage");
    assert.equal(person.page.url(), signInPage(orgId));
  });
});

describe("the buttons", () => {
  test("have the look of the provider, if it has one", TIMEOUT, async () => {
    const button = { backgroundColor: "#1a3c6e", textColor: "#ffffff", logo: LOGO };
    const { orgId } = await organization({ button });
    const { page } = await visitor(orgId);

    const shown = page.getByRole("button", { name: BUTTON });
    const look = await shown.evaluate(async (element) => {
      const { backgroundColor, color } = getComputedStyle(element);
      const logo = element.querySelector("img");
      await logo.decode();
      return [backgroundColor, color, logo.naturalWidth];
    });

    assert.deepEqual(look, ["rgb(26, 60, 110)", "rgb(255, 255, 255)", 16]);
  });

  test("have the logo of a well-known provider that has none of its own", TIMEOUT, async () => {
    const { orgId } = await organization();
    for (const [name, issuer, button] of WELL_KNOWN) await provider(orgId, { name, issuer, button });
    const { page } = await visitor(orgId);
    const buttons = page.locator("button.provider");
    await buttons.nth(WELL_KNOWN.length).waitFor();

    const pictures = await buttons.evaluateAll((all) => all.map((each) => {
      const { width = 0, height = 0 } = each.querySelector("svg")?.getBoundingClientRect() ?? {};
      return [each.textContent.replace("Sign in with ", ""), each.querySelector("img, svg")?.localName ?? "", width, height];
    }));

    const drawn = WELL_KNOWN.slice(0, -2).map(([name]) => [name, "svg", 20, 20]);
    assert.deepEqual(pictures, [["Example", "", 0, 0], ...drawn, ["Own logo", "img", 0, 0], ["Zitadel", "", 0, 0]]);
    assert.equal(await buttons.locator("svg:not([aria-hidden])").count(), 0);
  });

  test("of more providers than a page has come by another button", TIMEOUT, async () => {
    const person = await visitor(await organizationWithTwoPages());
    const { buttons, more } = await providerButtons(person);

    await more.click();

    await buttons.nth(50).waitFor();
    assert.equal(await buttons.count(), 51);
    assert.equal(await more.count(), 0);
  });

  test("are pressed by keyboard", TIMEOUT, async () => {
    const { orgId } = await organization();
    const person = await visitor(orgId);
    await person.page.getByRole("button", { name: BUTTON }).focus();

    await person.page.keyboard.press("Enter");

    await passProvider(person, unique());
    await person.sees("Your account");
  });

  test("are missing without an organization", TIMEOUT, async () => {
    const person = await visitor("");

    await person.sees("Sign in");
    assert.equal(await person.page.locator("button.provider").count(), 0);
    assert.ok(!person.calls.includes("ListSignInOptions"));
  });
});
