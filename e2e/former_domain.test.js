/** A service that has moved to another domain, and people with passkeys of the former one: `test_former_domain.py`. */
import assert from "node:assert/strict";
import { randomBytes, randomUUID } from "node:crypto";
import { describe, test } from "node:test";
import { withoutAutofill } from "./account_pages/person.js";
import { administrator } from "./console/person.js";
import { passkeyOfElsewhere } from "./support/elsewhere.js";
import { call } from "./support/server.js";
import { visit } from "./support/visit.js";
import { given, PATIENT, TIMEOUT, world } from "./world.js";

const SIGN_IN = `${given.origin}/signin/`;
const AT_FORMER = `${given.formerOrigin}/signin/`;
const ACCOUNT = `${given.origin}/account/`;
const [NEW, OLD] = [given.origin, given.formerOrigin].map((each) => new URL(each).hostname);

/** Runs in the page: a browser that knows no related origins, and says so. */
function withoutRelatedOrigins() {
  PublicKeyCredential.getClientCapabilities = async () => ({ relatedOrigins: false });
  const { get } = CredentialsContainer.prototype;
  CredentialsContainer.prototype.get = function (options) {
    const { rpId } = options.publicKey;
    if (location.hostname === rpId) return get.call(this, options);
    return Promise.reject(new DOMException(`${rpId} is another domain`, "SecurityError"));
  };
}

/** The same, in a browser that does not tell its capabilities. */
function withoutCapabilities() {
  delete PublicKeyCredential.getClientCapabilities;
}

/** A person whose device has a passkey of the former domain, on the sign-in page. */
async function moved({ scripts = [], query = "", ...options } = {}) {
  const passkey = passkeyOfElsewhere(randomBytes(32), OLD);
  const userId = `ada-${randomUUID()}`;
  const { imported } = passkey;
  const { results } = await call("POST", "/v1/users:import", {
    users: [{ userId, userName: userId, displayName: "Ada Lovelace", passkeys: [imported] }],
  });
  assert.equal(results[0].state, "IMPORT_STATE_IMPORTED");
  const person = await visit(`${given.origin}/no/where`, options);
  for (const script of [withoutAutofill, ...scripts]) await person.page.addInitScript(script);
  await person.inject({ ...passkey.injected, userName: userId, userDisplayName: "Ada Lovelace" });
  const visited = [];
  person.page.on("framenavigated", (frame) => visited.push(new URL(frame.url()).host));
  await person.page.goto(SIGN_IN + query);
  const passkeys = async () => (await call("GET", `/v1/users/${userId}/passkeys`)).passkeys;
  return { person, page: person.page, userId, visited, passkeys };
}

/** Asks for a passkey of the new domain in vain, and then for one of the former. */
async function askForFormer(person) {
  await person.press("Sign in with a passkey");
  await person.isTold("You were not signed in");
  await person.press(`Use a passkey of ${OLD}`);
}

const rpIds = async (passkeys) => (await passkeys()).map(({ rpId }) => rpId).toSorted();

describe("a browser that knows related origins", () => {
  test("asks for the new passkey first, then signs in with the former, and gets a new one", PATIENT, async () => {
    const { person, page, visited, passkeys } = await moved();

    assert.equal(await page.getByRole("button", { name: OLD }).count(), 0);
    await askForFormer(person);
    await person.sees("One more passkey");
    await person.press("Create passkey");
    await person.sees("Your account");

    assert.deepEqual(await rpIds(passkeys), [NEW, OLD]);
    assert.deepEqual([...new Set(visited)], [NEW]);
    assert.equal(await page.getByText("Former address").count(), 1);
    await person.press("Sign out");
    await person.press("Sign in with a passkey");
    await person.sees("Your account");
  });

  test("may decline the new passkey, and confirms changes with the former", PATIENT, async () => {
    const { person, page, passkeys, userId } = await moved();
    await askForFormer(person);
    await person.press("Not now");
    await person.sees("Your account");
    assert.deepEqual(await rpIds(passkeys), [OLD]);
    await page.getByText(`Add one for ${NEW}`).waitFor();

    await world.signedInAnHourAgo(userId);
    await person.press("Add a passkey");
    await person.press("Create passkey");
    await page.getByRole("dialog").getByRole("button", { name: "Use a passkey" }).click();
    await page.getByText("was added").waitFor();

    assert.deepEqual(await rpIds(passkeys), [NEW, OLD]);
  });
});

for (const [title, scripts] of [
  ["a browser without related origins", [withoutRelatedOrigins]],
  ["a browser that tells no capabilities", [withoutRelatedOrigins, withoutCapabilities]],
]) {
  describe(title, () => {
    test("signs in at the old address and comes back, with a session here alone", PATIENT, async () => {
      const { person, page, visited, passkeys } = await moved({
        scripts,
        query: `?return_to=${encodeURIComponent(`${given.origin}/device/`)}`,
      });

      await askForFormer(person);
      await person.sees(`Your passkey of ${OLD}`);
      assert.equal(page.url(), AT_FORMER);
      await person.press("Use a passkey");
      await person.sees("One more passkey");
      assert.ok(!page.url().includes("passkey="));
      await person.press("Create passkey");
      await page.waitForURL(`${given.origin}/device/`);

      assert.deepEqual(await rpIds(passkeys), [NEW, OLD]);
      assert.deepEqual([...new Set(visited)], [NEW, OLD]);
      const cookies = await page.context().cookies();
      assert.deepEqual(
        cookies.map(({ name, domain }) => [name, domain]),
        [["__Host-keystead", NEW]],
      );
    });

    test("comes back without a passkey", TIMEOUT, async () => {
      const { person, page } = await moved({ scripts });
      await askForFormer(person);

      await person.press("Back to signing in");

      await person.sees("Sign in");
      assert.equal(page.url(), SIGN_IN);
    });

    test("confirms at the old address, and comes back to the account", PATIENT, async () => {
      const { person, page, userId } = await moved({ scripts });
      await askForFormer(person);
      await person.press("Use a passkey");
      await person.press("Not now");
      await person.sees("Your account");

      await world.signedInAnHourAgo(userId);
      await person.press("Add a passkey");
      await person.press("Create passkey");
      await page.getByRole("dialog").getByRole("button", { name: "Use a passkey" }).click();
      await person.sees(`Your passkey of ${OLD}`);
      await person.press("Use a passkey");
      await person.press("Not now");

      await page.waitForURL(ACCOUNT);
      await person.sees("Your account");
    });
  });
}

describe("an attacker", () => {
  test("cannot sign in another browser with a passkey of its own", PATIENT, async () => {
    const { page } = await moved();
    await page.goto(`${given.formerOrigin}/no/where`);
    const started = await call("POST", "/v1/signin/passkey:start", { rpId: OLD });
    const credential = await page.evaluate(async (options) => {
      const publicKey = PublicKeyCredential.parseRequestOptionsFromJSON(options);
      return (await navigator.credentials.get({ publicKey })).toJSON();
    }, started.publicKeyCredentialRequestOptions);
    const handed = `${SIGN_IN}#passkey=${encodeURIComponent(JSON.stringify(credential))}`;
    // One who has begun nothing, and one who has begun a sign-in of its own.
    const idle = await visit(`${given.origin}/no/where`);
    const { person: busy } = await moved({ scripts: [withoutRelatedOrigins] });
    await askForFormer(busy);
    await busy.sees(`Your passkey of ${OLD}`);

    for (const victim of [idle, busy]) {
      await victim.page.goto(handed);

      await victim.sees("This sign-in cannot be continued here");
      assert.deepEqual(await victim.page.context().cookies(), []);
      assert.ok(!victim.calls.includes("CompletePasskeySignIn"));
    }
  });

  for (const [title, wrong] of [
    ["gets no signature from the old address", { from: "https://evil.test" }],
    ["writes no text into the page of the old address", { rpId: "old.test. Call 555-0100" }],
  ]) {
    test(title, TIMEOUT, async () => {
      const asked = { rpId: OLD, challenge: "AAAA", userVerification: "required", from: given.origin, ...wrong };

      const { page, person } = await moved({ scripts: [withoutRelatedOrigins] });
      await page.goto(`${AT_FORMER}#former=${encodeURIComponent(JSON.stringify(asked))}`);

      await person.sees("Sign in");
      assert.equal(new URL(page.url()).origin, given.origin);
    });
  }
});

test("an administrator sees who has moved, and who has not", PATIENT, async () => {
  const { person: ada } = await moved();
  await askForFormer(ada);
  await ada.press("Create passkey");
  await ada.sees("Your account");
  const { userId } = await moved();
  const { userCount, movedCount } = await call("GET", "/v1/users:listUnmoved");

  const { person } = await administrator("ROLE_INSTANCE_OWNER", { at: "#/users" });
  await person.page.getByText(`${movedCount} of ${userCount} users with a passkey of a former domain`).waitFor();
  await person.page.getByRole("link", { name: "See who has none" }).click();

  await person.page.getByRole("row").filter({ hasText: userId }).getByRole("link").click();
  await person.page.getByRole("heading", { level: 1, name: "Ada Lovelace" }).waitFor();
});

test("people who open the old address come to the new one", TIMEOUT, async () => {
  const { page } = await visit(`${AT_FORMER}?org_id=1#ended`);

  await page.waitForURL(`${SIGN_IN}?org_id=1`);
});
