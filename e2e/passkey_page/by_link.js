import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { SIGN_IN, withoutAutofill } from "../account_pages/person.js";
import { PAGE, visit } from "../support/visit.js";
import { refuse } from "../support/forged_answers.js";
import { call, newUser } from "../support/server.js";
import { PERMISSION_DENIED, RESOURCE_EXHAUSTED, UNAVAILABLE } from "../support/codes.js";
import { TIMEOUT } from "../world.js";

const SAVE = "VerifyPasskeyRegistration";
/** The calls of a registration without a detour. */
const CALLS = ["CheckPasskeyRegistration", "RegisterPasskey", SAVE, "SignInAfterRegistration"];
const LANGUAGES = {
  "en-GB": {
    name: "Name of this passkey",
    create: "Create passkey",
    ready: "Your passkey is ready",
    toAccount: "Open your account",
    signIn: "Sign in with a passkey",
    account: "Your account",
  },
  "de-AT": {
    name: "Name des Passkeys",
    create: "Passkey erstellen",
    ready: "Ihr Passkey ist bereit",
    toAccount: "Ihr Konto öffnen",
    signIn: "Mit Passkey anmelden",
    account: "Ihr Konto",
  },
};

describe("a person with a link", () => {
  test("adds a passkey", TIMEOUT, async () => {
    const user = await newUser();
    const person = await visit(await user.link());
    await person.sees("Add a passkey");

    await person.page.getByLabel("Name of this passkey").fill("  My laptop ");
    await person.press("Create passkey");
    await person.sees("Your passkey is ready");

    const [passkey, ...others] = await user.passkeys();
    assert.equal(passkey.name, "My laptop");
    assert.deepEqual(others, []);
    await person.page.getByText("“My laptop” was added").waitFor();
    assert.equal(await person.focused(), "Your passkey is ready");
  });

  for (const [locale, words] of Object.entries(LANGUAGES)) {
    test(`adds a passkey, is signed in by that, and later signs in with it: ${locale}`, TIMEOUT, async () => {
      const user = await newUser();
      const person = await visit(await user.link(), { locale, script: withoutAutofill });
      const { page } = person;

      await page.getByLabel(words.name).fill("Laptop");
      await person.press(words.create);
      await person.sees(words.ready);
      await page.getByRole("link", { name: words.toAccount }).click();
      await person.sees(words.account);

      await call("DELETE", `/v1/users/${user.userId}/sessions`);
      await page.context().clearCookies();
      await page.goto(SIGN_IN);
      await person.press(words.signIn);
      await person.sees(words.account);
    });
  }

  test("is sent to the page from its address without a slash", TIMEOUT, async () => {
    const user = await newUser();
    const person = await visit((await user.link()).replace("/passkeys/#", "/passkeys#"));

    await person.press("Create passkey");

    await person.sees("Your passkey is ready");
  });

  test("can use one that an earlier release wrote", TIMEOUT, async () => {
    const user = await newUser();
    const person = await visit((await user.link()).replace(/[;&]code=/, "&code="));

    await person.press("Create passkey");

    await person.sees("Your passkey is ready");
  });

  test("is offered a name for the passkey", TIMEOUT, async () => {
    const user = await newUser();
    const userAgent = "Mozilla/5.0 (iPhone; CPU iPhone OS 19_0 like Mac OS X) AppleWebKit/605.1.15";
    const person = await visit(await user.link(), { userAgent });

    assert.equal(await person.page.getByLabel("Name of this passkey").inputValue(), "iPhone");
  });

  test("begins nothing by opening it", TIMEOUT, async () => {
    const user = await newUser();
    const person = await visit(await user.link());

    await person.sees("Add a passkey");
    await person.page.waitForLoadState("networkidle");

    assert.deepEqual(person.calls, ["CheckPasskeyRegistration"]);
  });

  test("sees for which account and service it is", TIMEOUT, async () => {
    const user = await newUser();
    const person = await visit(await user.link());
    await person.sees("Add a passkey");

    const text = await person.page.getByRole("main").innerText();

    assert.match(text, new RegExp(`the account Ada Lovelace \\(${user.userName}\\) at Keystead\\.`));
  });

  test("can add a passkey although the link could not be checked", TIMEOUT, async () => {
    const user = await newUser();
    const link = await user.link();
    const person = await visit(PAGE);
    await refuse(person.page, "CheckPasskeyRegistration", UNAVAILABLE, "DATABASE_UNAVAILABLE");
    await person.page.goto(link);
    await person.isTold("The service is not available right now");

    await person.press("Create passkey");

    await person.sees("Your passkey is ready");
  });

  test("leaves no code behind", TIMEOUT, async () => {
    const user = await newUser();
    const link = await user.link();
    const code = link.split("code=")[1];
    const person = await visit(link);
    await person.sees("Add a passkey");

    const kept = await person.page.evaluate(() =>
      JSON.stringify([location.href, history.state, { ...localStorage }, { ...sessionStorage }, document.cookie]),
    );

    assert.equal(person.page.url(), PAGE);
    assert.equal(kept.includes(code), false);
    assert.equal((await person.page.content()).includes(code), false);
  });

  test("is told after a reload to open it again", TIMEOUT, async () => {
    const user = await newUser();
    const link = await user.link();
    const person = await visit(link);
    await person.page.getByRole("button", { name: "Create passkey" }).waitFor();
    await person.page.reload();
    await person.sees("Open your link again");

    await person.page.goto(link);
    await person.press("Create passkey");
    await person.sees("Your passkey is ready");

    await person.page.reload();
    await person.sees("Your passkeys");
  });

  test("may open a newer one in the same tab", TIMEOUT, async () => {
    const user = await newUser();
    const older = await user.link();
    const newer = await user.link();
    const person = await visit(older);
    await person.sees("There is a newer link");

    await person.page.goto(newer);
    await person.press("Create passkey");

    await person.sees("Your passkey is ready");
    assert.equal((await user.passkeys()).length, 1);
  });

  test("needs only a keyboard", TIMEOUT, async () => {
    const user = await newUser();
    const person = await visit(await user.link());
    const { keyboard } = person.page;
    await person.sees("Add a passkey");

    await keyboard.press("Tab");
    assert.equal(await person.focused(), "Name of this passkey");
    await keyboard.press("ControlOrMeta+a");
    await keyboard.type("By keyboard");
    await keyboard.press("Tab");
    assert.equal(await person.focused(), "Create passkey");
    await keyboard.press("Space");

    await person.sees("Your passkey is ready");
    assert.deepEqual((await user.passkeys()).map(({ name }) => name), ["By keyboard"]);
  });

  test("needs no newer browser", TIMEOUT, async () => {
    const user = await newUser();
    const person = await visit(await user.link(), {
      script: () => {
        delete PublicKeyCredential.parseCreationOptionsFromJSON;
        delete PublicKeyCredential.prototype.toJSON;
        delete PublicKeyCredential.signalUnknownCredential;
      },
    });

    await person.press("Create passkey");

    await person.sees("Your passkey is ready");
    const [passkey] = await user.passkeys();
    assert.deepEqual(passkey.transports, ["internal"]);
    assert.equal(passkey.authenticatorAttachment, "platform");
  });

  test("is told what is wrong with the name", TIMEOUT, async () => {
    const user = await newUser();
    const person = await visit(await user.link());
    const name = person.page.getByLabel("Name of this passkey");

    for (const unseen of ["   ", "\u200b", "\u3164"]) {
      await name.fill(unseen);
      await person.press("Create passkey");
      await person.page.getByText("Enter a name.").waitFor();

      assert.equal(await name.getAttribute("aria-invalid"), "true");
      assert.equal(await person.focused(), "Name of this passkey");
      await name.fill("Laptop");
    }
    assert.deepEqual(person.calls, ["CheckPasskeyRegistration"]);
  });

  test("can give a name of 200 characters, and is told that 201 are too many", TIMEOUT, async () => {
    const user = await newUser();
    const person = await visit(await user.link());
    const name = person.page.getByLabel("Name of this passkey");
    await name.fill("");

    await name.focus();
    await person.page.keyboard.insertText("🔑".repeat(201)); // two units of UTF-16 each
    await person.press("Create passkey");
    await person.page.getByText("Enter at most 200 characters.").waitFor();
    await person.page.keyboard.press("Backspace");
    await person.press("Create passkey");

    await person.sees("Your passkey is ready");
    assert.deepEqual((await user.passkeys()).map(({ name }) => name), ["🔑".repeat(200)]);
  });

  test("sees that the device is waited for, and cannot press twice", TIMEOUT, async () => {
    const user = await newUser();
    const person = await visit(await user.link());
    await person.page.evaluate(() => {
      const { create } = CredentialsContainer.prototype;
      const touched = new Promise((resolve) => (window.touch = resolve));
      navigator.credentials.create = async (options) => touched.then(() => create.call(navigator.credentials, options));
    });
    const create = person.page.getByRole("button", { name: "Create passkey" });

    await create.click();
    const status = person.page.getByRole("status").getByText("Follow the instructions");
    await status.waitFor();
    const [button, told] = [await create.boundingBox(), await status.boundingBox()];
    assert.ok(told.y > button.y && told.y < button.y + 100, "it stands below the button");
    assert.equal(await create.getAttribute("aria-disabled"), "true");
    await create.press("Enter");
    await person.keep("waiting-for-the-device");
    await person.page.evaluate(() => window.touch());

    await person.sees("Your passkey is ready");
    assert.deepEqual(person.calls, CALLS);
    assert.equal(await person.creations(), 1);
  });
});

describe("a registration that is interrupted", () => {
  test("goes on after a cancelled dialog, without being begun again", TIMEOUT, async () => {
    const user = await newUser();
    const person = await visit(await user.link());
    await person.recognisesUser(false);
    await person.press("Create passkey");
    await person.isTold("No passkey was made");

    await person.recognisesUser(true);
    await person.press("Try again");

    await person.sees("Your passkey is ready");
    assert.deepEqual(person.calls, CALLS);
  });

  const loseAnswer = async (route) => {
    await route.fetch();
    await route.abort();
  };
  for (const [cause, title, interrupt] of [
    ["the answer is lost", "The service cannot be reached", (page) => page.route(`**/${SAVE}`, loseAnswer, { times: 1 })],
    ["the request is lost", "The service cannot be reached", (page) => page.route(`**/${SAVE}`, (route) => route.abort(), { times: 1 })],
    ["calls are limited", "There were too many requests", (page) => refuse(page, SAVE, RESOURCE_EXHAUSTED, "RATE_LIMITED", { times: 1 })],
  ]) {
    test(`makes one passkey, though ${cause}`, TIMEOUT, async () => {
      const user = await newUser();
      const person = await visit(await user.link());
      await interrupt(person.page);
      await person.press("Create passkey");
      await person.isTold(title);

      await person.press("Try again");

      await person.sees("Your passkey is ready");
      assert.equal((await user.passkeys()).length, 1);
      assert.equal(await person.creations(), 1);
    });
  }

  test("does not report a passkey as unknown that may have been saved", TIMEOUT, async () => {
    const user = await newUser();
    const person = await visit(await user.link(), {
      script: () => {
        window.unknown = [];
        PublicKeyCredential.signalUnknownCredential = async (options) => window.unknown.push(options);
      },
    });
    await refuse(person.page, SAVE, PERMISSION_DENIED, "PERMISSION_DENIED", { times: 1 });
    await person.page.route(`**/${SAVE}`, loseAnswer, { times: 1 });
    await person.press("Create passkey");
    await person.isTold("The service cannot be reached");

    await person.press("Try again");

    await person.isTold("You may not do this");
    assert.deepEqual(await person.page.evaluate(() => window.unknown), []);
  });
});
