import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { signedIn } from "../account_pages/person.js";
import { refuse } from "../support/forged_answers.js";
import { call } from "../support/server.js";
import { organizationWithTwoPages, passProvider, provider, providerButtons, signInPage, unique } from "./person.js";
import { UNAUTHENTICATED } from "../support/codes.js";
import { TIMEOUT } from "../world.js";

const LIST = "Other ways to sign in";

/** A person who is signed in with a passkey, and a provider of its organization with a name of its own. */
async function withProvider() {
  const orgId = (await call("GET", "/v1/users/me")).user.details.resourceOwner;
  const { name, idpId } = await provider(orgId, { name: unique(), autoRegister: false });
  const { user, person } = await signedIn({ ignoreHTTPSErrors: true });
  const links = async () => (await call("GET", `/v1/users/${user.userId}/idpLinks`)).idpLinks ?? [];
  return { user, person, name, idpId, orgId, links };
}

describe("a person who is signed in with a passkey", () => {
  test("links a provider, signs in with it, and unlinks it", TIMEOUT, async () => {
    const { user, person, name, orgId, links } = await withProvider();
    const { page } = person;
    const login = unique();

    await person.press(`Link ${name}`);
    await passProvider(person, login);
    await page.getByText("The provider is linked.").waitFor();
    assert.deepEqual((await links()).map(({ subject }) => subject), [login]);

    await person.press("Sign out");
    await person.sees("Sign in"); // the page goes there by itself
    await page.goto(signInPage(orgId));
    await person.press(`Sign in with ${name}`);
    await person.sees("Your account");
    await page.getByText(user.userName).waitFor();

    await person.press(`Unlink \u2068${name}\u2069`);
    await person.press("Unlink");
    await person.sees("Sign in"); // the session began with the link
    assert.deepEqual(await links(), []);
    await page.goto(signInPage(orgId));
    await person.press(`Sign in with ${name}`);
    await person.sees("There is no account for you here yet");
  });

  test("confirms who it is, where the sign-in is too long ago", TIMEOUT, async () => {
    const { person, name, links } = await withProvider();
    await refuse(person.page, "LinkIDP", UNAUTHENTICATED, "REAUTHENTICATION_REQUIRED", { times: 1 });

    await person.press(`Link ${name}`);
    await passProvider(person, unique());
    await person.page.getByRole("dialog", { name: "Confirm that it is you" }).waitFor();
    await person.press("Use a passkey");

    await person.page.getByText("The provider is linked.").waitFor();
    assert.equal((await links()).length, 1);
  });

  test("links a provider of the next page, which then is not offered again", TIMEOUT, async () => {
    const orgId = await organizationWithTwoPages();
    const { person } = await signedIn({ ignoreHTTPSErrors: true, fields: { orgId } });
    const { page } = person;
    const { buttons, more } = await providerButtons(person);

    await more.click();
    await buttons.nth(50).waitFor();
    assert.equal(await buttons.count(), 51);
    assert.equal(await more.count(), 0);

    const label = await buttons.nth(50).innerText();
    await buttons.nth(50).click();
    await passProvider(person, unique());
    await page.getByText("The provider is linked.").waitFor();
    assert.equal(await buttons.count(), 50);
    await more.click();
    await more.waitFor({ state: "detached" });
    assert.equal(await buttons.count(), 50);
    assert.ok(!(await buttons.allInnerTexts()).includes(label));
    await page.getByRole("heading", { level: 3, name: label.replace("Link ", "") }).waitFor();
  });

  test("does not link an identity that somebody else has", TIMEOUT, async () => {
    const { person, name } = await withProvider();
    const login = unique();
    await person.press(`Link ${name}`);
    await passProvider(person, login);
    await person.page.getByText("The provider is linked.").waitFor();

    const { person: other } = await signedIn({ ignoreHTTPSErrors: true });
    await other.press(`Link ${name}`);
    await passProvider(other, login);

    await other.sees("This account is linked already");
    await other.press("Back to your account");
    await other.sees("Your account");
    assert.equal(await other.page.getByRole("list", { name: LIST }).getByRole("listitem").count(), 0);
  });
});
