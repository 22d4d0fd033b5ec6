import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { application, consents, sent, tokensOf } from "../authorization/person.js";
import { visit } from "../support/visit.js";
import { refuse } from "../support/forged_answers.js";
import { call, newUser } from "../support/server.js";
import { TIMEOUT, world } from "../world.js";
import { ACCOUNT, SIGN_IN, signedIn, signInElsewhere } from "./person.js";
import { UNAUTHENTICATED, UNAVAILABLE } from "../support/codes.js";


const names = async (user) => (await user.passkeys()).map(({ name }) => name);
const sessions = async (user) => (await call("GET", `/v1/users/${user.userId}/sessions`)).sessions ?? [];

/** The method finds once that the person signed in a while ago. */
function askForSignIn(person, method) {
  return refuse(person.page, method, UNAUTHENTICATED, "REAUTHENTICATION_REQUIRED", { times: 1 });
}

describe("a person who is signed in", () => {
  test("sees its passkeys and its sessions", TIMEOUT, async () => {
    const { person } = await signedIn();
    const { page } = person;

    await page.getByRole("list", { name: "Passkeys" }).getByText("Laptop").waitFor();
    const session = page.getByRole("list", { name: "Where you are signed in" }).getByRole("listitem").first();
    assert.match(await session.innerText(), /Chrome on Linux\s+This device/);
    assert.equal(await page.getByRole("button", { name: "Sign out everywhere" }).count(), 0);
  });

  test("stays so over a reload", TIMEOUT, async () => {
    const { user, person } = await signedIn();

    await person.page.reload();

    await person.page.getByText(user.userName).waitFor();
  });

  test("adds a passkey", TIMEOUT, async () => {
    const { user, person } = await signedIn();
    await person.takesAnotherDevice();

    await person.press("Add a passkey");
    await person.page.getByLabel("Name of this passkey").fill("Phone");
    await person.press("Create passkey");

    await person.page.getByRole("status").getByText("“Phone” was added.").waitFor();
    assert.deepEqual(await names(user), ["Laptop", "Phone"]);
  });

  test("changes its names and its language", TIMEOUT, async () => {
    const { user, person } = await signedIn();
    const { page } = person;
    await askForSignIn(person, "PatchUser");

    await person.press("Change your details");
    await page.getByLabel("Given name").fill("Ada");
    await page.getByLabel("Language").fill("no language");
    await person.press("Save");
    await person.press("Use a passkey");
    await page.getByText("Enter a language tag such as en or pt-BR.").waitFor();
    await page.getByLabel("Language").fill("pt-BR");
    await person.press("Save");

    await page.getByRole("status").getByText("Your details were changed.").waitFor();
    const { givenName, locale, displayName } = (await call("GET", `/v1/users/${user.userId}`)).user;
    assert.deepEqual([givenName, locale, displayName], ["Ada", "pt-BR", "Ada Lovelace"]);
  });

  test("sets its picture by a large photo, and removes it", TIMEOUT, async () => {
    const { user, person } = await signedIn();
    const { page } = person;
    const photo = Buffer.from(await page.evaluate(async () => {
      const canvas = document.createElement("canvas");
      [canvas.width, canvas.height] = [1600, 1200];
      const context = canvas.getContext("2d");
      for (let x = 0; x < 1600; x += 4)
        for (let y = 0; y < 1200; y += 4) {
          context.fillStyle = `hsl(${(x * y) % 360} 80% 50%)`;
          context.fillRect(x, y, 4, 4);
        }
      const blob = await new Promise((resolve) => canvas.toBlob(resolve));
      return [...new Uint8Array(await blob.arrayBuffer())];
    }));
    const stored = async () => (await call("GET", `/v1/users/${user.userId}`)).user;

    await person.press("Change your details");
    await page.getByLabel("Picture").setInputFiles({ name: "notes.txt", mimeType: "text/plain", buffer: Buffer.from("no image") });
    await person.press("Save");
    await page.getByText("Choose a file that is an image.").waitFor();
    await page.getByLabel("Picture").setInputFiles({ name: "photo.png", mimeType: "image/png", buffer: photo });
    await person.press("Save");
    await page.getByRole("status").getByText("Your details were changed.").waitFor();

    const shown = page.getByRole("img", { name: "Picture" });
    await shown.waitFor();
    assert.equal(await shown.evaluate(async (image) => (await image.decode(), image.naturalWidth)), 256);
    const { picture, pictureUri } = await stored();
    assert.ok(Buffer.from(picture, "base64").length <= 32 * 1024 && photo.length > 32 * 1024);
    assert.match(pictureUri, /\/pictures\/[0-9a-f]{32}$/);

    await person.press("Change your details");
    await page.getByLabel("Remove the present picture").check();
    await person.press("Save");
    await shown.waitFor({ state: "hidden" });
    assert.equal((await stored()).pictureUri, "");
  });

  test("renames a passkey", TIMEOUT, async () => {
    const { user, person } = await signedIn();

    await person.press("Rename \u2068Laptop\u2069");
    await person.page.getByLabel("Name", { exact: true }).fill("Old laptop");
    await person.press("Save");

    await person.page.getByRole("heading", { level: 3, name: "Old laptop" }).waitFor();
    assert.deepEqual(await names(user), ["Old laptop"]);
  });

  test("removes the passkey of the session, which ends with it", TIMEOUT, async () => {
    const { user, person } = await signedIn();

    await person.press("Remove \u2068Laptop\u2069");
    await person.page.getByText("This is your only passkey.").waitFor();
    await person.press("Remove");

    await person.sees("Sign in");
    await person.page.getByText("Your session has ended.").waitFor();
    assert.deepEqual(await names(user), []);
    await person.press("Sign in with a passkey");
    await person.isTold("This passkey no longer signs you in");
  });

  test("reports a stolen passkey, and sees what ends with it", TIMEOUT, async () => {
    const clientId = await application();
    const { user, person } = await signedIn();
    const verifier = await sent(person, clientId, { scope: "openid offline_access" });
    const code = await consents(person);
    assert.ok((await tokensOf(clientId, code, verifier)).refresh_token);
    await person.page.goto(ACCOUNT);

    await person.press("Remove \u2068Laptop\u2069");
    await person.page.getByText("Sessions: 1").waitFor();
    assert.equal(await person.page.getByText("Access of applications: ").count(), 0);
    await person.page.getByLabel("It was lost or stolen").check();
    await person.page.getByText("Access of applications: 1").waitFor();
    await person.press("Remove");

    await person.sees("Sign in");
    assert.deepEqual(await names(user), []);
    assert.deepEqual((await call("GET", `/v1/users/${user.userId}/grants`)).grants ?? [], []);
  });

  test("signs out, and is not signed in again by going back", TIMEOUT, async () => {
    const { user, person } = await signedIn();

    await person.press("Sign out");

    await person.page.getByText("You are signed out.").waitFor();
    assert.deepEqual(await sessions(user), []);
    assert.deepEqual(await person.page.context().cookies(), []);
    await person.page.goBack();
    await person.page.goto(ACCOUNT);
    await person.sees("Sign in");
  });

  test("ends a session elsewhere", TIMEOUT, async () => {
    const { user, person } = await signedIn();
    await signInElsewhere(person);

    await person.press("Sign out \u2068Chrome on Linux\u2069");

    await person.page.getByRole("status").getByText("“Chrome on Linux” is signed out.").waitFor();
    assert.equal((await sessions(user)).length, 1);
    await person.page.getByText("You are signed in on this device only.").waitFor();
  });

  test("signs out everywhere", TIMEOUT, async () => {
    const { user, person } = await signedIn();
    await signInElsewhere(person);

    await person.press("Sign out everywhere");
    await person.page.getByRole("dialog", { name: "Sign out everywhere?" }).waitFor();
    assert.equal((await sessions(user)).length, 2);
    await person.page.getByRole("dialog").getByRole("button", { name: "Sign out everywhere" }).click();

    await person.page.getByText("You are signed out.").waitFor();
    assert.deepEqual(await sessions(user), []);
    assert.deepEqual(await person.page.context().cookies(), []);
  });

  test("sees its access tokens, and removes one", TIMEOUT, async () => {
    const { user, person } = await signedIn();
    const list = person.page.getByRole("list", { name: "Access tokens" });
    assert.equal(await list.count(), 0);
    const token = await user.token("nightly import");
    const expiresAt = new Date(Date.now() + 86_400_000).toISOString();
    await call("POST", `/v1/users/${user.userId}/tokens`, { expiresAt }, { token });

    await person.page.reload();
    await list.waitFor();
    const [others, own] = await list.getByRole("listitem").allInnerTexts();
    assert.match(others, /^nightly import\s+Created\s.*\sBy\s+somebody else\s+Valid until\s+you remove it/s);
    assert.match(own, /^Token without a name\s+Created\s.*\sBy\s+you\s+Valid until\s+\d/s);
    await person.press("Remove the token \u2068nightly import\u2069");
    await person.page.getByRole("dialog", { name: "Remove this token?" }).getByRole("button", { name: "Remove" }).click();

    await person.page.getByRole("status").getByText("“nightly import” was removed.").waitFor();
    assert.equal(await list.getByRole("listitem").count(), 1);
    const { tokens } = await call("GET", `/v1/users/${user.userId}/tokens`);
    assert.deepEqual(tokens.map(({ name }) => name ?? ""), [""]);
  });

  test("sees the list again if a token ended elsewhere", TIMEOUT, async () => {
    const { user, person } = await signedIn();
    await user.token();
    await person.page.reload();
    await person.press("Remove the token \u2068browser\u2069");
    await user.revoke();

    await person.press("Remove");

    await person.page.getByRole("dialog").waitFor({ state: "detached" });
    assert.equal(await person.page.getByText("Access tokens").count(), 0);
  });

  test("is sent to the sign-in when the session ends elsewhere", TIMEOUT, async () => {
    const { user, person } = await signedIn();
    await call("DELETE", `/v1/users/${user.userId}/sessions`);

    await person.press("Remove \u2068Laptop\u2069");
    await person.press("Remove");

    await person.page.getByText("Your session has ended.").waitFor();
    assert.equal(person.page.url(), SIGN_IN);
    assert.deepEqual(await names(user), ["Laptop"]);
  });

  test("can try again after an outage", TIMEOUT, async () => {
    const { user, person } = await signedIn();
    await refuse(person.page, "ListSessions", UNAVAILABLE, "DATABASE_UNAVAILABLE");
    await person.page.reload();
    await person.isTold("The service is not available right now");

    await person.page.unroute("**/ListSessions");
    await person.press("Try again");

    await person.page.getByText(user.userName).waitFor();
  });

  test("is told that it is offline, and loses nothing", TIMEOUT, async () => {
    const { user, person } = await signedIn();
    await person.page.context().setOffline(true);

    await person.press("Sign out");

    await person.isTold("You are offline");
    await person.page.getByText(user.userName).waitFor();
    await person.page.context().setOffline(false);
  });
});

describe("a link that somebody opens who is signed in", () => {
  test("adds a passkey to the account that the link is for", TIMEOUT, async () => {
    const { user, person } = await signedIn();
    const other = await newUser();

    await person.page.goto(await other.link());
    await person.press("Create passkey");
    await person.sees("Your passkey is ready");

    assert.equal((await other.passkeys()).length, 1);
    assert.deepEqual(await names(user), ["Laptop"]);
  });
});

describe("a person who is not signed in", () => {
  test("is sent to the sign-in", TIMEOUT, async () => {
    const person = await visit(ACCOUNT);

    await person.sees("Sign in");
    assert.equal(person.page.url(), SIGN_IN);
  });
});

describe("a change that asks for a recent sign-in", () => {
  test("is made once the person has confirmed who it is, by a new token", TIMEOUT, async () => {
    const { user, person } = await signedIn();
    await person.takesAnotherDevice();
    await person.press("Add a passkey");
    await person.page.getByLabel("Name of this passkey").fill("Phone");
    await person.press("Create passkey");
    await person.page.getByRole("heading", { level: 3, name: "Phone" }).waitFor();
    const [before] = await person.page.context().cookies();
    assert.equal(await world.signedInAnHourAgo(user.userId), "UPDATE 1");

    await person.press("Remove \u2068Laptop\u2069");
    await person.press("Remove");
    await person.page.getByRole("dialog", { name: "Confirm that it is you" }).waitFor();
    assert.equal(await person.focused(), "Use a passkey");
    await person.press("Use a passkey");

    await person.page.getByRole("status").getByText("“Laptop” was removed.").waitFor();
    assert.deepEqual(await names(user), ["Phone"]);
    assert.equal((await sessions(user)).length, 1);
    const [after] = await person.page.context().cookies();
    assert.notEqual(after.value, before.value);
  });

  test("is tried once only after the confirmation", TIMEOUT, async () => {
    const { user, person } = await signedIn();
    await refuse(person.page, "RemovePasskey", UNAUTHENTICATED, "REAUTHENTICATION_REQUIRED");

    await person.press("Remove \u2068Laptop\u2069");
    await person.press("Remove");
    await person.press("Use a passkey");

    await person.isTold("You did not confirm that it is you");
    const preview = 1;
    assert.equal(person.calls.filter((each) => each === "RemovePasskey").length, preview + 2);
    assert.deepEqual(await names(user), ["Laptop"]);
  });

  test("is not made where the person does not confirm", TIMEOUT, async () => {
    const { user, person } = await signedIn();
    await askForSignIn(person, "RemovePasskey");
    await person.recognisesUser(false);
    await person.press("Remove \u2068Laptop\u2069");
    await person.press("Remove");
    await person.press("Use a passkey");
    await person.isTold("You did not confirm that it is you");

    const confirmation = person.page.getByRole("dialog", { name: "Confirm that it is you" });
    await confirmation.getByRole("button", { name: "Cancel" }).click();

    const removal = person.page.getByRole("dialog", { name: "Remove this passkey?" });
    await removal.getByRole("alert").getByText("You did not confirm").waitFor();
    assert.deepEqual(await names(user), ["Laptop"]);
  });
});
