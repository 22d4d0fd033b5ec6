import { fromBinary } from "@bufbuild/protobuf";
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { VerifyPasskeyRegistrationRequestSchema } from "../gen/keystead/passkey/v1/passkey_service_pb.js";
import { PAGE, visit } from "../support/visit.js";
import { answerInstead, refuse, REQUEST_ID } from "../support/forged_answers.js";
import { newUser } from "../support/server.js";
import {
  ABORTED,
  ALREADY_EXISTS,
  DEADLINE_EXCEEDED,
  FAILED_PRECONDITION,
  INVALID_ARGUMENT,
  NOT_FOUND,
  PERMISSION_DENIED,
  RESOURCE_EXHAUSTED,
  UNAUTHENTICATED,
  UNAVAILABLE,
} from "../support/codes.js";
import { TIMEOUT } from "../world.js";

const BEGIN = "RegisterPasskey";
const SAVE = "VerifyPasskeyRegistration";

/** A person who has opened a new link. */
async function byLink(options) {
  const user = await newUser();
  return visit(await user.link(), options);
}

describe("a person with a link, told by the server itself,", () => {
  test("hears that it has been used", TIMEOUT, async () => {
    const user = await newUser();
    const link = await user.link();
    const first = await visit(link);
    await first.press("Create passkey");
    await first.sees("Your passkey is ready");

    const second = await visit(link);

    await second.sees("This link has been used");
    await second.page.getByText("Request ID, for support:").waitFor();
    assert.equal(await second.page.getByRole("button").count(), 0);
    await second.page.getByRole("link", { name: "Sign in" }).click();
    await second.sees("Sign in");
  });

  test("hears that there is a newer one", TIMEOUT, async () => {
    const user = await newUser();
    const link = await user.link();
    await user.link();
    const person = await visit(link);

    await person.sees("There is a newer link");
  });

  test("hears that a wrong one does not work", TIMEOUT, async () => {
    const user = await newUser();
    const link = await user.link();
    const person = await visit(link.slice(0, -2));

    await person.sees("This link does not work");
  });

  test("hears that the registration was cancelled meanwhile", TIMEOUT, async () => {
    const user = await newUser();
    const person = await visit(await user.link());
    await person.page.route("**/VerifyPasskeyRegistration", async (route) => {
      const { passkeyId } = fromBinary(
        VerifyPasskeyRegistrationRequestSchema,
        route.request().postDataBuffer().subarray(5),
      );
      await user.remove(passkeyId);
      await route.continue();
    });

    await person.press("Create passkey");

    await person.isTold("This registration was ended");
  });

  test("hears without a call that an incomplete one does not work", TIMEOUT, async () => {
    for (const rest of ["#user=1", "#user=1;code=", "#user=1&code=", "#code=ksl_1"]) {
      const person = await visit(PAGE + rest);

      await person.sees("This link does not work");

      assert.deepEqual(person.calls, []);
    }
  });
});

const ENDS = [
  ["LINK_EXPIRED", BEGIN, FAILED_PRECONDITION, "This link has expired"],
  ["LINK_USED", SAVE, FAILED_PRECONDITION, "This link has been used"],
  ["LINK_REPLACED", SAVE, FAILED_PRECONDITION, "There is a newer link"],
  ["TOO_MANY_ATTEMPTS", BEGIN, FAILED_PRECONDITION, "This link was tried too often"],
  ["PERMISSION_DENIED", BEGIN, PERMISSION_DENIED, "This link does not work"],
  ["INVALID_FIELDS", BEGIN, INVALID_ARGUMENT, "This link does not work"],
];

const SETBACKS = [
  ["TOO_MANY_PASSKEYS", BEGIN, RESOURCE_EXHAUSTED, "You have the maximum number of passkeys"],
  ["TOO_MANY_CEREMONIES", BEGIN, RESOURCE_EXHAUSTED, "Too many attempts are still open"],
  ["TOO_MANY_ATTEMPTS", SAVE, FAILED_PRECONDITION, "There were too many failed attempts"],
  ["CHALLENGE_EXPIRED", SAVE, FAILED_PRECONDITION, "That took too long"],
  ["UNAUTHENTICATED", SAVE, UNAUTHENTICATED, "This registration was ended"],
  ["PASSKEY_NOT_FOUND", SAVE, NOT_FOUND, "This registration was ended"],
  ["CHALLENGE_USED", SAVE, FAILED_PRECONDITION, "This attempt was already completed"],
  ["CREDENTIAL_MALFORMED", SAVE, INVALID_ARGUMENT, "Your device gave an answer that cannot be read"],
  ["CREDENTIAL_NOT_VERIFIED", SAVE, INVALID_ARGUMENT, "Your device's answer could not be verified"],
  ["CREDENTIAL_ALREADY_REGISTERED", SAVE, ALREADY_EXISTS, "This passkey is registered already"],
  ["ORIGIN_NOT_ALLOWED", SAVE, INVALID_ARGUMENT, "Passkeys cannot be added at this address"],
  ["USER_NOT_VERIFIED", SAVE, INVALID_ARGUMENT, "Your device did not check that it is you"],
  ["ALGORITHM_NOT_ALLOWED", SAVE, INVALID_ARGUMENT, "This kind of passkey cannot be used here"],
  ["ATTESTATION_NOT_ALLOWED", SAVE, INVALID_ARGUMENT, "This device cannot be used here"],
  ["DATABASE_UNAVAILABLE", BEGIN, UNAVAILABLE, "The service is not available right now"],
  ["SHUTTING_DOWN", SAVE, UNAVAILABLE, "The service is not available right now"],
  ["DEADLINE_EXCEEDED", SAVE, DEADLINE_EXCEEDED, "The service took too long to answer"],
  ["CONCURRENT_CHANGE", SAVE, ABORTED, "Somebody changed the same thing at the same moment"],
  ["NEVER_HEARD_OF", SAVE, 2, "Something went wrong"],
];

describe("a refusal after which this link helps no more", () => {
  for (const [reason, method, code, title] of ENDS) {
    test(`is ${reason} of ${method}`, TIMEOUT, async () => {
      const person = await byLink();
      await refuse(person.page, method, code, reason);

      await person.press("Create passkey");

      await person.sees(title);
      await person.page.getByText(`Request ID, for support: ${REQUEST_ID}`).waitFor();
      assert.equal(await person.page.getByRole("button").count(), 0);
    });
  }
});

describe("a refusal after which the person can try again", () => {
  for (const [reason, method, code, title] of SETBACKS) {
    test(`is ${reason} of ${method}`, TIMEOUT, async () => {
      const person = await byLink();
      await refuse(person.page, method, code, reason);
      await person.press("Create passkey");
      assert.match(await person.isTold(title), new RegExp(REQUEST_ID));

      await person.page.unroute(`**/${method}`);
      // The device that made a passkey that the server refused would not make another one.
      await person.takesAnotherDevice();
      await person.press("Try again");

      await person.sees("Your passkey is ready");
    });
  }

  test("is one of the name, told at the name", TIMEOUT, async () => {
    const person = await byLink();
    const violations = [
      { field: "passkeyName", description: "must not contain control characters", reason: "CONTROL_CHARACTERS" },
    ];
    await refuse(person.page, SAVE, INVALID_ARGUMENT, "INVALID_FIELDS", { violations });
    await person.press("Create passkey");
    await person.page.getByText("Remove line breaks and control characters.").waitFor();
    assert.equal(await person.focused(), "Name of this passkey");

    await person.page.unroute(`**/${SAVE}`);
    await person.press("Create passkey");

    await person.sees("Your passkey is ready");
    assert.equal(await person.creations(), 1);
  });

  for (const [status, title] of [
    [502, "The service is not available right now"],
    [503, "The service is not available right now"],
    [504, "The service is not available right now"],
    [429, "The service is not available right now"],
    [403, "Something went wrong"],
    [500, "Something went wrong"],
  ]) {
    test(`is a proxy's own answer with ${status}`, TIMEOUT, async () => {
      const person = await byLink();
      await answerInstead(person.page, BEGIN, status);

      await person.press("Create passkey");

      await person.page.getByText(title).first().waitFor();
    });
  }

  test("is the network's", TIMEOUT, async () => {
    const person = await byLink();
    await person.page.context().setOffline(true);
    await person.press("Create passkey");
    await person.isTold("You are offline");

    await person.page.context().setOffline(false);
    await person.press("Try again");

    await person.sees("Your passkey is ready");
  });
});

describe("a device that makes no passkey", () => {
  for (const [name, title] of [
    ["NotAllowedError", "No passkey was made"],
    ["InvalidStateError", "This device has a passkey of yours already"],
    ["SecurityError", "Passkeys cannot be made at this address"],
    ["NotSupportedError", "This device cannot make the passkey that is needed"],
    ["ConstraintError", "This device cannot check that it is you"],
    ["AbortError", "The passkey was not finished"],
    ["UnknownError", "Something went wrong"],
  ]) {
    test(`says ${name}`, TIMEOUT, async () => {
      const person = await byLink();
      await person.page.evaluate((name) => {
        navigator.credentials.create = async function () {
          delete navigator.credentials.create;
          throw new DOMException("forged", name);
        };
      }, name);
      await person.press("Create passkey");
      await person.isTold(title);

      await person.press("Try again");

      await person.sees("Your passkey is ready");
    });
  }
});

describe("a browser without passkeys", () => {
  test("is told so, with the link to open elsewhere", TIMEOUT, async () => {
    const user = await newUser();
    const link = await user.link();
    const person = await visit(link, { script: () => delete window.PublicKeyCredential });

    await person.sees("This browser cannot make passkeys");

    assert.equal(await person.page.getByLabel("Your link").inputValue(), link);
    assert.deepEqual(person.calls, []);
  });

  test("still lists them", TIMEOUT, async () => {
    const user = await newUser();
    const person = await visit(PAGE, { script: () => delete window.PublicKeyCredential });
    await person.signIn(await user.token());

    await person.press("Add a passkey");

    await person.isTold("This browser cannot make passkeys");
    await person.page.getByText("Signed in as").waitFor();
  });

  test("is told that the address is not secure", TIMEOUT, async () => {
    const user = await newUser();
    const link = (await user.link()).replace("localhost", "insecure.test");
    const person = await visit(link);

    await person.sees("This connection is not secure");
  });
});

describe("a person with a token", () => {
  test("can load the list again after an outage", TIMEOUT, async () => {
    const user = await newUser();
    const person = await visit(PAGE);
    await person.signIn(await user.token());
    await person.press("Add a passkey");
    await refuse(person.page, "ListPasskeys", UNAVAILABLE, "DATABASE_UNAVAILABLE");
    await person.press("Create passkey");
    await person.isTold("The service is not available right now");
    await person.page.getByText("was added.").waitFor();

    await person.page.unroute("**/ListPasskeys");
    await person.press("Try again");

    await person.page.getByRole("listitem").waitFor();
  });

  for (const [method, open, confirm] of [
    ["RenamePasskey", "Rename \u2068Laptop\u2069", "Save"],
    ["RemovePasskey", "Remove \u2068Laptop\u2069", "Remove"],
  ]) {
    test(`can repeat ${method} in its dialog`, TIMEOUT, async () => {
      const user = await newUser();
      const person = await visit(PAGE);
      await person.signIn(await user.token());
      await person.press("Add a passkey");
      await person.page.getByLabel("Name of this passkey").fill("Laptop");
      await person.press("Create passkey");
      await refuse(person.page, method, UNAVAILABLE, "DATABASE_UNAVAILABLE");
      await person.press(open);
      await person.press(confirm);
      await person.isTold("The service is not available right now");

      await person.page.unroute(`**/${method}`);
      await person.press(confirm);

      await person.page.getByRole("dialog").waitFor({ state: "detached" });
    });
  }
});
