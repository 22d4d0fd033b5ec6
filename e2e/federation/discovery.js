/** A mail address leads to the identity provider of the organization that has proven its domain. */
import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { describe, test } from "node:test";
import { ACCOUNT, SIGN_IN, withoutAutofill } from "../account_pages/person.js";
import { visit } from "../support/visit.js";
import { observerUrl, given, TIMEOUT } from "../world.js";
import { organization, passProvider, provider, unique, within } from "./person.js";

const FIELD = "Account or mail address";

/** An organization that has proven a new domain. */
async function proven() {
  const domain = `${randomUUID()}.example`;
  const { orgId, idpId } = await organization();
  const { mailDomainId, recordName, recordValue } = await within(orgId, "POST", "/v1/mailDomains", { domain });
  await fetch(`${observerUrl}/publish`, { method: "POST", body: JSON.stringify({ name: recordName, value: recordValue }) });
  await within(orgId, "POST", `/v1/mailDomains/${mailDomainId}:verify`, {});
  return { orgId, idpId, domain };
}

/** Somebody at the sign-in page, which knows no organization. */
async function stranger(options) {
  const person = await visit(SIGN_IN, { script: withoutAutofill, ignoreHTTPSErrors: true, ...options });
  await person.sees("Sign in");
  return { person, page: person.page, field: person.page.getByLabel(FIELD) };
}

describe("a mail address", () => {
  test("leads to the provider of its organization, and the person is signed in", TIMEOUT, async () => {
    const { orgId, domain } = await proven();
    const { person, page, field } = await stranger();
    const login = unique();

    await field.fill(`ada@${domain.toUpperCase()}`);
    await field.press("Enter");
    await passProvider(person, login);

    await person.sees("Your account");
    assert.equal(page.url(), ACCOUNT);
    const { users } = await within(orgId, "GET", "/v1/users");
    assert.deepEqual(users.map(({ email }) => email), [`${login}@example.com`]);
  });

  test("offers the providers of its organization if there are several", TIMEOUT, async () => {
    const { orgId, domain } = await proven();
    await provider(orgId, { name: "Another" });
    const { page, field } = await stranger();

    await field.fill(`ada@${domain}`);
    await page.getByRole("button", { name: "Continue" }).click();

    const first = page.getByRole("button", { name: "Sign in with Example" });
    await first.waitFor();
    await page.getByRole("button", { name: "Sign in with Another" }).waitFor();
    assert.equal(await first.evaluate((button) => button === document.activeElement), true);
  });

  test("of another domain, or of none, keeps the person on the page", TIMEOUT, async () => {
    const { domain } = await proven();
    const { page, field } = await stranger();
    const next = page.getByRole("button", { name: "Continue" });
    const none = "No organization signs in addresses of this domain here. Sign in with your passkey.";
    const wrong = "Enter a mail address like name@example.com.";

    assert.equal(await next.isVisible(), false);
    for (const [address, error] of [
      [`ada@sub.${domain}`, none],
      [`ada@${randomUUID()}.example`, none],
      [`ada@evil.example@${domain}`, wrong],
      ["ada@", wrong],
      [`ada@${domain}.`, wrong],
    ]) {
      await field.fill(address);
      await next.click();
      await page.getByText(error).waitFor();
      assert.equal(await field.getAttribute("aria-invalid"), "true");
      assert.equal(page.url(), SIGN_IN);
    }
    await field.fill("ada");
    assert.equal(await next.isVisible(), false);
  });
});
