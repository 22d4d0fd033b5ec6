import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { given, TIMEOUT } from "../world.js";
import { openTab } from "./chromium.js";
import { server } from "./keystead.js";

describe("an authenticator that has a passkey of the user", () => {
  test("makes no second one", TIMEOUT, async () => {
    const user = await server.user();
    const tab = await openTab(given.origin);
    await tab.register(await user.begin());
    const { options } = await user.begin();

    await assert.rejects(tab.createCredential(options), { name: "InvalidStateError" });
  });

  // The authenticator keeps one passkey for a user handle. Without the list of known passkeys, the
  // second one replaces the first, which then remains on the server without use.
  test("replaces it when the page hides it", TIMEOUT, async () => {
    const user = await server.user();
    const tab = await openTab(given.origin);
    const first = await tab.register(await user.begin());

    const second = await tab.register(await user.begin(), { excludeCredentials: [] });

    assert.notEqual(second.id, first.id);
    assert.deepEqual(await tab.keptCredentialIds(), [second.id]);
    assert.equal((await user.passkeys()).length, 2);
  });

  test("makes one of another user", TIMEOUT, async () => {
    const [user, other] = [await server.user(), await server.user()];
    const tab = await openTab(given.origin);
    const first = await tab.register(await user.begin());

    const second = await tab.register(await other.begin());

    assert.deepEqual((await tab.keptCredentialIds()).sort(), [first.id, second.id].sort());
  });

  test("does not keep another one from making its own", TIMEOUT, async () => {
    const user = await server.user();
    const [laptop, phone] = [await openTab(given.origin), await openTab(given.origin)];
    await laptop.register(await user.begin());

    await phone.register(await user.begin());

    assert.equal((await user.passkeys()).length, 2);
  });
});

describe("a credential that is sent twice", () => {
  test("one after the other is registered once", TIMEOUT, async () => {
    const user = await server.user();
    const tab = await openTab(given.origin);
    const ceremony = await user.begin();
    const credential = await tab.register(ceremony);

    await assert.rejects(tab.verify(ceremony, credential), { reason: "CHALLENGE_USED" });

    assert.equal((await user.passkeys()).length, 1);
  });

  test("at once is registered once", TIMEOUT, async () => {
    const user = await server.user();
    const tab = await openTab(given.origin);
    const ceremony = await user.begin();
    const credential = await tab.createCredential(ceremony.options);

    const answers = await Promise.allSettled(
      Array.from({ length: 5 }, () => tab.verify(ceremony, credential)),
    );

    const reasons = answers.map(({ reason }) => reason?.reason ?? "registered").sort();
    assert.deepEqual(reasons, [...Array(4).fill("CHALLENGE_USED"), "registered"]);
    assert.equal((await user.passkeys()).length, 1);
  });

  test("for another ceremony is not of that", TIMEOUT, async () => {
    const user = await server.user();
    const tab = await openTab(given.origin);
    const [ceremony, other] = [await user.begin(), await user.begin()];
    const credential = await tab.register(ceremony);

    await assert.rejects(tab.verify(other, credential), { reason: "CREDENTIAL_NOT_VERIFIED" });
  });
});

describe("a user who changes their mind", () => {
  test("leaves the dialog, and then registers after all", TIMEOUT, async () => {
    const user = await server.user();
    const tab = await openTab(given.origin);
    await tab.touches(false);
    const ceremony = await user.begin();
    const abandoned = tab.createCredential(ceremony.options);

    await tab.cancel();

    await assert.rejects(abandoned, { name: "AbortError" });
    assert.deepEqual(await tab.keptCredentialIds(), []);
    await tab.touches(true);
    await tab.register(ceremony);
    assert.equal((await user.passkeys()).length, 1);
  });

  test("removes the passkey, and registers the same device again", TIMEOUT, async () => {
    const user = await server.user();
    const tab = await openTab(given.origin);
    await tab.register(await user.begin());
    const [passkey] = await user.passkeys();
    await user.remove(passkey);

    const ceremony = await user.begin();
    await tab.register(ceremony);

    const passkeys = await user.passkeys();
    assert.deepEqual(
      passkeys.map(({ passkeyId }) => passkeyId),
      [ceremony.passkeyId],
    );
  });
});
