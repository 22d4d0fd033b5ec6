import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { setTimeout } from "node:timers/promises";
import { visit } from "../support/visit.js";
import { answerInstead, refuse, REQUEST_ID } from "../support/forged_answers.js";
import { ACCOUNT, registered, SIGN_IN, signedIn } from "./person.js";
import { FAILED_PRECONDITION, INVALID_ARGUMENT, UNAUTHENTICATED, UNAVAILABLE } from "../support/codes.js";
import { TIMEOUT } from "../world.js";

const COMPLETE = "CompletePasskeySignIn";
const START = "StartPasskeySignIn";
const BUTTON = "Sign in with a passkey";

/** In the page: passes reports to passkey providers to the test, also after a navigation. */
function keepSignals() {
  PublicKeyCredential.isConditionalMediationAvailable = async () => false;
  for (const name of ["signalAllAcceptedCredentials", "signalCurrentUserDetails", "signalUnknownCredential"]) {
    PublicKeyCredential[name] = async (options) => window.signalled(name, options);
  }
}

/** In the page: a passkey of the field is chosen by `window.choose()`. */
function chosenLater() {
  window.offers = [];
  const { get } = CredentialsContainer.prototype;
  CredentialsContainer.prototype.get = async function (options) {
    if (options.mediation !== "conditional") return get.call(this, options);
    window.offers.push(options.publicKey.challenge);
    await new Promise((resolve, reject) => {
      window.choose = resolve;
      options.signal.addEventListener("abort", () => reject(options.signal.reason));
    });
    return get.call(this, { ...options, mediation: "optional" });
  };
}

const offered = (person, count) => person.page.waitForFunction((count) => window.offers.length === count, count);

describe("a person who has added a passkey by a link", () => {
  test("signs in by the button, and the session is in a cookie that no script sees", TIMEOUT, async () => {
    const { user, person } = await registered();

    await person.press(BUTTON);

    await person.sees("Your account");
    assert.equal(person.page.url(), ACCOUNT);
    await person.page.getByText(user.userName).waitFor();
    const [cookie, ...others] = await person.page.context().cookies();
    assert.deepEqual(others, []);
    const { name, httpOnly, secure, sameSite, path } = cookie;
    assert.deepEqual(
      { name, httpOnly, secure, sameSite, path },
      { name: "__Host-keystead", httpOnly: true, secure: true, sameSite: "Lax", path: "/" },
    );
    assert.match(cookie.value, /^kss_/);
    const kept = await person.page.evaluate(() =>
      JSON.stringify([{ ...localStorage }, { ...sessionStorage }, document.cookie, history.state]),
    );
    assert.equal(kept, '[{},{},"",null]');
  });

  test("signs in by the passkey that the field offers", TIMEOUT, async () => {
    const { person } = await registered({ script: chosenLater });
    const field = person.page.getByLabel("Account or mail address");
    assert.equal(await field.getAttribute("autocomplete"), "username webauthn");
    await offered(person, 1);

    await person.page.evaluate(() => window.choose());

    await person.sees("Your account");
    assert.deepEqual(person.calls.filter((name) => [START, COMPLETE].includes(name)), [START, COMPLETE]);
  });

  test("signs in by keyboard alone", TIMEOUT, async () => {
    const { person } = await registered();
    const { keyboard } = person.page;

    await keyboard.press("Tab");
    assert.equal(await person.focused(), BUTTON);
    await keyboard.press("Tab");
    assert.equal(await person.focused(), "Account or mail address");
    await keyboard.press("Shift+Tab");
    await keyboard.press("Enter");

    await person.sees("Your account");
  });

  test("signs in, though the field has offered passkeys before", TIMEOUT, async () => {
    const { person } = await registered({ script: chosenLater });
    await offered(person, 1);

    await person.press(BUTTON);

    await person.sees("Your account");
    assert.equal(person.calls.filter((call) => call === START).length, 1);
  });

  test("needs no newer browser", TIMEOUT, async () => {
    const { person } = await registered({
      script: () => {
        for (const name of ["parseRequestOptionsFromJSON", "isConditionalMediationAvailable", "signalAllAcceptedCredentials"]) {
          delete PublicKeyCredential[name];
        }
        delete PublicKeyCredential.prototype.toJSON;
      },
    });

    await person.press(BUTTON);

    await person.sees("Your account");
  });

  test("reads German where the browser asks for it", TIMEOUT, async () => {
    const { person } = await signedIn({ locale: "de-CH" });

    assert.equal(await person.page.evaluate(() => document.documentElement.lang), "de-CH");
    await person.page.getByText("Dieses Gerät", { exact: true }).waitFor();
    await person.page.getByText("Chrome auf Linux").waitFor();
  });

  test("reads English where the browser asks for neither", TIMEOUT, async () => {
    const person = await visit(SIGN_IN, { locale: "sv-SE" });

    await person.sees("Sign in");
  });
});

describe("the challenge", () => {
  test("is renewed after four minutes, without anything else being renewed", TIMEOUT, async () => {
    const { person } = await registered({ script: chosenLater });
    await offered(person, 1);
    await person.page.clock.install();
    await person.page.reload();
    await offered(person, 1);

    await person.page.clock.runFor(4 * 60_000 - 1_000);
    assert.equal(await person.page.evaluate(() => window.offers.length), 1);
    await person.page.clock.runFor(2_000);
    await offered(person, 2);
    await person.page.evaluate(() => window.choose());

    await person.sees("Your account");
  });
});

describe("providers of passkeys", () => {
  /** A person who has added a passkey, and the reports to passkey providers from now on. */
  async function watched() {
    const { user, person } = await registered({ script: keepSignals });
    const signals = [];
    await person.page.exposeFunction("signalled", (name, options) => void signals.push([name, options]));
    const [{ credentialId }] = await user.passkeys();
    const { userHandle: userId, rpId } = await user.list();
    // The page reports in the background.
    const told = async (number) => {
      while (signals.length < number) await setTimeout(10);
      return signals;
    };
    return { user, person, told, credentialId, userId, rpId };
  }

  test("are told which passkeys sign in, and what their user is called", TIMEOUT, async () => {
    const { user, person, told, credentialId, userId, rpId } = await watched();

    await person.press(BUTTON);
    await person.sees("Your account");

    const accepted = ["signalAllAcceptedCredentials", { rpId, userId, allAcceptedCredentialIds: [credentialId] }];
    const details = { rpId, userId, name: user.userName, displayName: "Ada Lovelace" };
    assert.deepEqual(await told(3), [accepted, accepted, ["signalCurrentUserDetails", details]]);
  });

  test("are told of a passkey that the server certainly does not have", TIMEOUT, async () => {
    const { user, person, told, credentialId, rpId } = await watched();
    const [{ passkeyId }] = await user.passkeys();
    await user.remove(passkeyId);

    await person.press(BUTTON);
    await person.isTold("This passkey no longer signs you in");

    assert.deepEqual(await told(1), [["signalUnknownCredential", { rpId, credentialId }]]);
  });

  for (const [reason, code] of [
    ["SIGN_IN_FAILED", UNAUTHENTICATED],
    ["CHALLENGE_EXPIRED", FAILED_PRECONDITION],
    ["DATABASE_UNAVAILABLE", UNAVAILABLE],
  ]) {
    test(`are told nothing after ${reason}`, TIMEOUT, async () => {
      const { person, told } = await watched();
      await refuse(person.page, COMPLETE, code, reason);

      await person.press(BUTTON);
      await person.page.getByRole("alert").waitFor();

      assert.deepEqual(await told(0), []);
    });
  }
});

describe("a refusal after which the person can try again", () => {
  for (const [reason, method, code, title] of [
    ["SIGN_IN_FAILED", COMPLETE, UNAUTHENTICATED, "You could not be signed in"],
    ["CHALLENGE_EXPIRED", COMPLETE, FAILED_PRECONDITION, "That took too long"],
    ["CHALLENGE_USED", COMPLETE, FAILED_PRECONDITION, "This attempt was already completed"],
    ["CREDENTIAL_MALFORMED", COMPLETE, INVALID_ARGUMENT, "Your device gave an answer that cannot be read"],
    ["ORIGIN_NOT_ALLOWED", COMPLETE, INVALID_ARGUMENT, "You cannot sign in at this address"],
    ["USER_NOT_VERIFIED", COMPLETE, INVALID_ARGUMENT, "Your device did not check that it is you"],
    ["DATABASE_UNAVAILABLE", START, UNAVAILABLE, "The service is not available right now"],
  ]) {
    test(`is ${reason} of ${method}`, TIMEOUT, async () => {
      const { person } = await registered();
      await refuse(person.page, method, code, reason);
      await person.press(BUTTON);
      assert.match(await person.isTold(title), new RegExp(REQUEST_ID));

      await person.page.unroute(`**/${method}`);
      await person.press(BUTTON);

      await person.sees("Your account");
    });
  }

  test("asks for another challenge", TIMEOUT, async () => {
    const { person } = await registered();
    await refuse(person.page, COMPLETE, FAILED_PRECONDITION, "CHALLENGE_EXPIRED");
    await person.press(BUTTON);
    await person.isTold("That took too long");
    await person.page.unroute(`**/${COMPLETE}`);

    await person.press(BUTTON);

    await person.sees("Your account");
    assert.equal(person.calls.filter((call) => call === START).length, 2);
  });

  test("is the network's", TIMEOUT, async () => {
    const { person } = await registered();
    await person.page.context().setOffline(true);
    await person.press(BUTTON);
    await person.isTold("You are offline");

    await person.page.context().setOffline(false);
    await person.press(BUTTON);

    await person.sees("Your account");
  });

  test("is a proxy's", TIMEOUT, async () => {
    const { person } = await registered();
    await answerInstead(person.page, COMPLETE, 503);

    await person.press(BUTTON);

    await person.isTold("The service is not available right now");
  });

  test("is the person's own", TIMEOUT, async () => {
    const { person } = await registered();
    await person.recognisesUser(false);
    await person.press(BUTTON);
    await person.isTold("You were not signed in");

    await person.recognisesUser(true);
    await person.press(BUTTON);

    await person.sees("Your account");
  });
});

describe("where nobody can sign in", () => {
  test("a browser without passkeys is told so", TIMEOUT, async () => {
    const person = await visit(SIGN_IN, { script: () => delete window.PublicKeyCredential });

    await person.sees("This browser cannot use passkeys");
    assert.deepEqual(person.calls, []);
  });

  test("an address that is not secure is told so", TIMEOUT, async () => {
    const person = await visit(SIGN_IN.replace("localhost", "insecure.test"));

    await person.sees("This connection is not secure");
  });
});
