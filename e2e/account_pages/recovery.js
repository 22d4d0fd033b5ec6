import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { visit } from "../support/visit.js";
import { refuse } from "../support/forged_answers.js";
import { SIGN_IN, registered } from "./person.js";
import { UNAVAILABLE } from "../support/codes.js";
import { TIMEOUT } from "../world.js";

const REQUEST = "RequestPasskeyRecovery";
const LOST = "Lost your passkey?";

/** A person at the form that asks for a mail address. */
async function atRecoveryForm(options) {
  const person = await visit(SIGN_IN, options);
  await person.press(LOST);
  await person.sees("Recover your account");
  return person;
}

async function ask(person, address) {
  await person.page.getByLabel("Mail address").fill(address);
  await person.press("Send a link");
}

describe("a person who has lost every passkey", () => {
  test("asks for a link, and is told the same for every address", TIMEOUT, async () => {
    const answers = [];
    for (const address of ["ada@example.com", " nobody@example.com "]) {
      const person = await atRecoveryForm();
      await ask(person, address);
      await person.sees("Look into your mailbox");
      answers.push(await person.page.locator("main").innerText());
      assert.deepEqual(person.calls.slice(-1), [REQUEST]);
    }
    assert.equal(answers[0], answers[1]);
  });

  test("is told what is no address, and can correct it", TIMEOUT, async () => {
    const person = await atRecoveryForm();

    await ask(person, "ada");
    await person.page.getByText("Enter a mail address like name@example.com.").waitFor();
    assert.equal(await person.page.getByLabel("Mail address").getAttribute("aria-invalid"), "true");
    await ask(person, "ada@example.com");

    await person.sees("Look into your mailbox");
  });

  test("can try again after an outage", TIMEOUT, async () => {
    const person = await atRecoveryForm();
    await refuse(person.page, REQUEST, UNAVAILABLE, "DATABASE_UNAVAILABLE", { times: 1 });

    await ask(person, "ada@example.com");
    await person.page.getByRole("alert").waitFor();
    await person.press("Send a link");

    await person.sees("Look into your mailbox");
  });

  test("reads German where the browser asks for it", TIMEOUT, async () => {
    const person = await visit(SIGN_IN, { locale: "de-CH" });

    await person.press("Passkey verloren?");

    await person.sees("Konto wiederherstellen");
  });

  test("finds the passkey again, goes back and signs in", TIMEOUT, async () => {
    const { person } = await registered();
    await person.press(LOST);
    await person.sees("Recover your account");

    await person.press("Back to signing in");
    await person.sees("Sign in");
    await person.press("Sign in with a passkey");

    await person.sees("Your account");
  });
});
