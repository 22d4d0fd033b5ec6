/** The pages by TLS of the server itself, in a browser that verifies its certificate: `test_tls.py` runs it. */
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { ACCOUNT, SIGN_IN, registered, signedIn, withoutAutofill } from "./account_pages/person.js";
import { newUser } from "./support/server.js";
import { visit } from "./support/visit.js";
import { TIMEOUT, world } from "./world.js";

/** The certificate with which the server answers the page now. */
const certificateOf = async ({ page }) => (await page.reload()).securityDetails();

describe("a person whose server has a certificate", () => {
  test("registers a passkey by a link and signs in with it", TIMEOUT, async () => {
    const user = await newUser();
    const person = await visit(await user.link(), { script: withoutAutofill });
    const { page } = person;
    await person.press("Create passkey");
    await page.getByRole("link", { name: "Open your account" }).waitFor();
    await page.context().clearCookies();
    await page.goto(SIGN_IN);
    await person.press("Sign in with a passkey");
    await person.sees("Your account");

    assert.equal(page.url(), ACCOUNT);
    await page.getByText(user.userName).waitFor();
    const { protocol, subjectName } = await certificateOf(person);
    assert.deepEqual([protocol, subjectName], ["TLS 1.3", new URL(ACCOUNT).hostname]);
    const [cookie, ...others] = await page.context().cookies();
    const { name, domain, path, secure, httpOnly, sameSite } = cookie;
    assert.deepEqual(
      { name, domain, path, secure, httpOnly, sameSite },
      { name: "__Host-keystead", domain: new URL(ACCOUNT).hostname, path: "/", secure: true, httpOnly: true, sameSite: "Lax" },
    );
    assert.deepEqual(others, []);
  });

  test("is not disturbed by a renewed certificate, which later visitors get", TIMEOUT, async () => {
    const { user, person } = await signedIn();
    const { page } = person;
    const old = await certificateOf(person);

    const expiry = await world.renewCertificate();
    assert.notEqual(old.validTo, expiry);

    await person.press("Rename \u2068Laptop\u2069");
    await page.getByLabel("Name", { exact: true }).fill("Old laptop");
    await person.press("Save");
    await page.getByRole("heading", { level: 3, name: "Old laptop" }).waitFor();
    await page.reload();
    await page.getByText(user.userName).waitFor();
    const visitor = await visit(SIGN_IN);
    assert.equal((await certificateOf(visitor)).validTo, expiry);
    await registered();
  });
});
