import { fromBinary, toBinary } from "@bufbuild/protobuf";
import { timestampFromDate } from "@bufbuild/protobuf/wkt";
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import {
  ListPasskeysRequestSchema,
  ListPasskeysResponseSchema,
} from "../gen/keystead/passkey/v1/passkey_service_pb.js";
import { PAGE, visit } from "../support/visit.js";
import { framed } from "../support/forged_answers.js";
import { newUser } from "../support/server.js";
import { TIMEOUT } from "../world.js";

/** A user with a passkey of this name, and a visit in which the user is signed in. */
async function signedIn(name, options) {
  const user = await newUser();
  const person = await visit(PAGE, options);
  await person.signIn(await user.token());
  await add(person, name);
  return { user, person };
}

async function add(person, name) {
  await person.press("Add a passkey");
  await person.page.getByLabel("Name of this passkey").fill(name);
  await person.press("Create passkey");
  await person.page.getByRole("heading", { level: 2, name, exact: true }).waitFor();
}

/** Makes each page of the list contain one passkey. */
async function listOnePerPage({ page }) {
  await page.route("**/ListPasskeys", (route) => {
    const request = fromBinary(ListPasskeysRequestSchema, route.request().postDataBuffer().subarray(5));
    return route.continue({ postData: framed(toBinary(ListPasskeysRequestSchema, { ...request, pageSize: 1 })) });
  });
}

/** In the page: keeps the reports to passkey providers. */
function keepSignals() {
  window.signals = [];
  PublicKeyCredential.signalAllAcceptedCredentials = async (options) => window.signals.push(["all", options]);
  PublicKeyCredential.signalCurrentUserDetails = async (options) => window.signals.push(["user", options]);
}

const names = (passkeys) => passkeys.map(({ name }) => name);

describe("a person with a token", () => {
  test("has no passkeys at first, and then one", TIMEOUT, async () => {
    const user = await newUser();
    const person = await visit(PAGE);
    await person.signIn(` ${await user.token()}\n`);
    await person.page.getByText("You have no passkeys yet.").waitFor();

    await add(person, "Laptop");

    assert.deepEqual(names(await user.passkeys()), ["Laptop"]);
    await person.page.getByRole("status").getByText("“Laptop” was added.").waitFor();
  });

  test("sees what there is to know of a passkey", TIMEOUT, async () => {
    const { person } = await signedIn("Laptop");

    const card = await person.page.getByRole("listitem").innerText();

    const today = new Intl.DateTimeFormat("en-GB", { dateStyle: "medium" }).format(new Date());
    assert.match(card, /Where\s+synced between your devices/);
    assert.match(card, new RegExp(`Added\\s+${today}`));
    assert.match(card, /Last used\s+not yet/);
  });

  test("sees that a passkey is on one device only", TIMEOUT, async () => {
    const device = { defaultBackupEligibility: false, defaultBackupState: false };
    const { person } = await signedIn("Key", { device });

    await person.page.getByText("on one device only").waitFor();
  });

  test("sees who keeps a passkey and when it was used, where that is known", TIMEOUT, async () => {
    const { person } = await signedIn("Laptop");
    await person.page.route("**/ListPasskeys", async (route) => {
      const response = await route.fetch();
      const body = await response.body();
      const end = 5 + body.readUInt32BE(1); // what follows are the trailers
      const answer = fromBinary(ListPasskeysResponseSchema, body.subarray(5, end));
      answer.passkeys[0].providerName = "Example Keychain";
      answer.passkeys[0].lastUsedAt = timestampFromDate(new Date("2026-01-31T12:00:00Z"));
      const changed = framed(toBinary(ListPasskeysResponseSchema, answer));
      await route.fulfill({ response, body: Buffer.concat([changed, body.subarray(end)]) });
    });

    await person.press("Add a passkey");
    await person.press("Cancel");

    const card = await person.page.getByRole("listitem").innerText();
    assert.match(card, /Kept by\s+Example Keychain/);
    assert.match(card, /Last used\s+31 Jan 2026/);
  });

  test("renames one", TIMEOUT, async () => {
    const { user, person } = await signedIn("Laptop");

    await person.press("Rename \u2068Laptop\u2069");
    await person.page.getByRole("dialog", { name: "Rename this passkey" }).waitFor();
    await person.page.getByLabel("Name", { exact: true }).fill("Old laptop");
    await person.press("Save");

    await person.page.getByRole("heading", { level: 2, name: "Old laptop" }).waitFor();
    assert.deepEqual(names(await user.passkeys()), ["Old laptop"]);
    assert.equal(await person.focused(), "Your passkeys");
  });

  test("removes one after being asked", TIMEOUT, async () => {
    const { user, person } = await signedIn("Laptop");

    await person.press("Remove \u2068Laptop\u2069");
    const dialog = person.page.getByRole("dialog", { name: "Remove this passkey?" });
    await dialog.getByText("“Laptop”").waitFor();
    assert.equal((await user.passkeys()).length, 1);
    await person.press("Remove");

    await person.page.getByText("You have no passkeys yet.").waitFor();
    assert.deepEqual(await user.passkeys(), []);
    assert.equal(await dialog.count(), 0);
  });

  test("is warned before removing the only one", TIMEOUT, async () => {
    const { person } = await signedIn("One");
    const warning = person.page.getByRole("dialog").getByText("This is your only passkey.");
    await person.press("Remove \u2068One\u2069");
    await warning.waitFor();
    await person.press("Cancel");
    await person.takesAnotherDevice();
    await add(person, "Two");

    await person.press("Remove \u2068One\u2069");

    await person.page.getByRole("dialog").getByText("You will no longer be able").waitFor();
    assert.equal(await warning.count(), 0);
  });

  test("has providers offer what is left, by the name that the user has", TIMEOUT, async () => {
    const { user, person } = await signedIn("One", { script: keepSignals });
    await person.takesAnotherDevice();
    await add(person, "Two");
    const ids = (await user.passkeys()).map(({ credentialId }) => credentialId);
    await listOnePerPage(person);
    await person.press("Add a passkey");
    await person.press("Cancel");
    await person.page.getByText("Signed in as").waitFor();
    await person.press("Remove \u2068Two\u2069");
    await person.press("Remove");
    await person.page.getByText("was removed.").waitFor();

    const { userHandle: userId, rpId } = await user.list();
    const accepted = (...allAcceptedCredentialIds) => ["all", { rpId, userId, allAcceptedCredentialIds }];
    const details = ["user", { rpId, userId, name: user.userName, displayName: "Ada Lovelace" }];
    await person.page.waitForFunction(() => window.signals.length >= 10); // told beside what the person sees
    assert.deepEqual(
      await person.page.evaluate(() => window.signals),
      [accepted(), details, accepted(ids[0]), details, accepted(...ids), details, accepted(...ids), details, accepted(ids[0]), details],
    );
  });

  test("needs no provider that can be told", TIMEOUT, async () => {
    const script = () => {
      delete PublicKeyCredential.signalAllAcceptedCredentials;
      PublicKeyCredential.signalCurrentUserDetails = async () => {
        throw new DOMException("forged", "SecurityError");
      };
    };
    const { person } = await signedIn("One", { script });

    await person.press("Remove \u2068One\u2069");
    await person.press("Remove");

    await person.page.getByText("You have no passkeys yet.").waitFor();
  });

  test("sees a name from right to left without its turning the text around it", TIMEOUT, async () => {
    const name = "\u05d8\u05dc\u05e4\u05d5\u05df 12";
    const { person } = await signedIn(name);

    assert.equal(await person.page.getByRole("heading", { level: 2 }).locator("bdi").innerText(), name);
    assert.equal(await person.page.getByRole("status").locator("bdi").innerText(), name);
    await person.press(`Remove \u2068${name}\u2069`);
    assert.equal(await person.page.getByRole("dialog").locator("bdi").innerText(), name);
    await person.keep("a-name-from-right-to-left");
  });

  test("changes nothing by closing a dialog, and is where it was", TIMEOUT, async () => {
    const { user, person } = await signedIn("Laptop");

    await person.press("Remove \u2068Laptop\u2069");
    await person.page.keyboard.press("Escape");
    assert.equal(await person.focused(), "Remove \u2068Laptop\u2069");
    await person.press("Rename \u2068Laptop\u2069");
    await person.press("Cancel");

    assert.equal(await person.focused(), "Rename \u2068Laptop\u2069");
    assert.deepEqual(names(await user.passkeys()), ["Laptop"]);
    await person.page.locator("dialog").waitFor({ state: "detached" }); // its close event comes in a task of its own
  });

  test("is told that a passkey is gone already", TIMEOUT, async () => {
    const { user, person } = await signedIn("Laptop");
    const [{ passkeyId }] = await user.passkeys();
    await user.remove(passkeyId);

    await person.press("Rename \u2068Laptop\u2069");
    await person.press("Save");

    await person.page.getByText("This passkey was removed in the meantime.").waitFor();
    await person.page.getByText("You have no passkeys yet.").waitFor();
  });

  test("sees all of them, however many pages they are", TIMEOUT, async () => {
    const { person } = await signedIn("One");
    await person.takesAnotherDevice();
    await add(person, "Two");
    await listOnePerPage(person);
    person.calls.length = 0;

    await person.press("Add a passkey");
    await person.press("Cancel");
    await person.page.getByText("Signed in as").waitFor();

    const headings = person.page.getByRole("heading", { level: 2 });
    assert.deepEqual(await headings.allInnerTexts(), ["One", "Two"]);
    assert.deepEqual(person.calls, ["ListPasskeys", "ListPasskeys"]);
  });

  test("has one passkey on each device", TIMEOUT, async () => {
    const { user, person } = await signedIn("Laptop");

    await person.press("Add a passkey");
    await person.press("Create passkey");
    await person.isTold("This device has a passkey of yours already");
    await person.press("Cancel");

    await person.page.getByText("Signed in as").waitFor();
    assert.deepEqual(names(await user.passkeys()), ["Laptop"]);
  });

  test("needs only a keyboard", TIMEOUT, async () => {
    const { user, person } = await signedIn("Laptop");
    const { keyboard } = person.page;

    await keyboard.press("Tab"); // from the heading, where the list begins
    assert.equal(await person.focused(), "Sign out");
    await keyboard.press("Tab");
    assert.equal(await person.focused(), "Rename \u2068Laptop\u2069");
    await keyboard.press("Enter");
    await keyboard.type("Keyboard"); // over the selected name
    await keyboard.press("Enter");
    await person.page.getByRole("heading", { level: 2, name: "Keyboard" }).waitFor();
    for (const _ of "123") await keyboard.press("Tab");
    assert.equal(await person.focused(), "Remove \u2068Keyboard\u2069");
    await keyboard.press("Enter");
    await person.page.getByRole("dialog").waitFor();
    assert.equal(await person.focused(), "Cancel");
    await keyboard.press("Shift+Tab");
    await keyboard.press("Enter");

    await person.page.getByText("You have no passkeys yet.").waitFor();
    assert.deepEqual(await user.passkeys(), []);
  });

  test("stays signed out when a call before that is answered", TIMEOUT, async () => {
    const { person } = await signedIn("Laptop");
    let answer;
    const isSignedOut = new Promise((resolve) => (answer = resolve));
    await person.page.route("**/RenamePasskey", async (route) => {
      await isSignedOut;
      await route.continue();
    });

    await person.press("Rename \u2068Laptop\u2069");
    await person.press("Save");
    await person.page.keyboard.press("Escape");
    await person.press("Sign out");
    // The page's own account of what has come: Playwright once waited for the end of a response that the
    // server had sent.
    const listings = () => person.page.evaluate(
      () => performance.getEntriesByType("resource").filter(({ name }) => name.endsWith("/ListPasskeys")).length,
    );
    const before = await listings();
    answer();
    while ((await listings()) === before);
    // Two turns later the page has read what has come, and shows what it shows.
    for (const _ of "12") await person.page.evaluate(() => new Promise((turned) => setTimeout(turned)));

    assert.equal(await person.page.getByLabel("Access token").count(), 1);
    assert.equal(await person.page.getByRole("listitem").count(), 0);
    assert.match(await person.page.getByRole("status").innerText(), /^You are signed out\./);
  });

  test("signs out, and nothing is kept", TIMEOUT, async () => {
    const { person } = await signedIn("Laptop");

    await person.press("Sign out");
    await person.page.getByText("You are signed out.").waitFor();

    assert.equal(await person.page.getByLabel("Access token").inputValue(), "");
    const kept = await person.page.evaluate(() => [{ ...localStorage }, { ...sessionStorage }, document.cookie]);
    assert.deepEqual(kept, [{}, {}, ""]);
  });

  test("is signed out when the token is revoked", TIMEOUT, async () => {
    const { user, person } = await signedIn("Laptop");
    await user.revoke();

    await person.press("Remove \u2068Laptop\u2069");
    await person.press("Remove");

    await person.isTold("This token is not valid");
    assert.equal(await person.page.getByLabel("Access token").count(), 1);
    assert.deepEqual(names(await user.passkeys()), ["Laptop"]);
  });

  test("is told at once that something is no token", TIMEOUT, async () => {
    const person = await visit(PAGE);

    await person.page.getByLabel("Access token").fill("Bearer kst_1");
    await person.press("Show my passkeys");

    await person.page.getByText("Enter a token that begins with kst_.").waitFor();
    assert.deepEqual(person.calls, []);
  });

  test("is told that a token is not valid", TIMEOUT, async () => {
    const person = await visit(PAGE);

    await person.page.getByLabel("Access token").fill("kst_unknown");
    await person.press("Show my passkeys");

    assert.match(await person.isTold("This token is not valid"), /Request ID, for support: \S+/);
  });
});
