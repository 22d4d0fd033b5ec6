import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { TIMEOUT, visit } from "../passkey_page/browser.js";
import { ACCOUNT, registered, SIGN_IN, signedIn, withoutAutofill } from "./person.js";

describe("a person who has added a passkey by a link", () => {
  test("signs in by the button", TIMEOUT, async () => {
    const { user, person } = await registered();

    await person.press("Sign in with a passkey");

    await person.sees("Your account");
    assert.equal(person.page.url(), ACCOUNT);
    await person.page.getByText(user.userName).waitFor();
  });

  test("signs in by the passkey that the field offers", TIMEOUT, async () => {
    const { person } = await registered({ script: () => {} });

    await person.sees("Your account");
  });
});
