import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { visit } from "../support/visit.js";
import { refuse } from "../support/forged_answers.js";
import { given, TIMEOUT } from "../world.js";
import { organization, passProvider, unique, visitor } from "./person.js";
import { FAILED_PRECONDITION, PERMISSION_DENIED, UNAUTHENTICATED, UNAVAILABLE } from "../support/codes.js";

const COMPLETE = "CompleteIDPSignIn";
const PLANTED = `${given.origin}/signin/callback/0199d3a8-5f1c-7c3a-9b7e-1d5a4f8e0c21?code=a&state=b`;

describe("the page that the provider sends people back to", () => {
  test("does nothing with a callback that this tab has not begun, and shows nothing of it", TIMEOUT, async () => {
    const person = await visit(PLANTED);

    await person.sees("This sign-in cannot be continued here");
    assert.doesNotMatch(person.page.url(), /[?#]/);
    assert.deepEqual(person.calls, []);
  });

  test("does nothing again when it is reloaded", TIMEOUT, async () => {
    const { orgId } = await organization();
    const person = await visitor(orgId);
    await refuse(person.page, COMPLETE, UNAVAILABLE, "IDP_UNREACHABLE");
    await person.press("Sign in with Example");
    await passProvider(person, unique());
    await person.sees("The provider cannot be reached");

    await person.page.reload();

    await person.sees("This sign-in cannot be continued here");
    assert.equal(person.calls.filter((call) => call === COMPLETE).length, 1);
  });

  for (const [reason, code, title] of [
    ["FLOW_EXPIRED", FAILED_PRECONDITION, "That took too long"],
    ["FLOW_USED", FAILED_PRECONDITION, "This attempt was already completed"],
    ["IDP_NOT_CONFIGURED", FAILED_PRECONDITION, "You cannot sign in with this provider"],
    ["IDP_DID_NOT_REAUTHENTICATE", FAILED_PRECONDITION, "The provider did not let you sign in again"],
    ["IDP_DENIED", PERMISSION_DENIED, "The provider did not let you through"],
    ["SIGN_IN_FAILED", UNAUTHENTICATED, "You could not be signed in"],
    ["DATABASE_UNAVAILABLE", UNAVAILABLE, "The service is not available right now"],
  ]) {
    test(`tells of ${reason}`, TIMEOUT, async () => {
      const { orgId } = await organization();
      const person = await visitor(orgId);
      await refuse(person.page, COMPLETE, code, reason);

      await person.press("Sign in with Example");
      await passProvider(person, unique());

      await person.sees(title);
      await person.press("Back to signing in");
      await person.page.getByRole("button", { name: "Sign in with Example" }).waitFor();
    });
  }

  test("reads German where the browser asks for it", TIMEOUT, async () => {
    const person = await visit(PLANTED, { locale: "de-AT" });

    await person.sees("Diese Seite kennt den Anfang nicht");
  });
});
