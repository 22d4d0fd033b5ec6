import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { given, TIMEOUT } from "../world.js";
import { openTab } from "./chromium.js";
import { ceremony, expireLinks, server } from "./keystead.js";
import { UNAUTHENTICATED } from "../support/codes.js";

/** Opens a link on a device of its own; gives the tab, and who the link says that it is for. */
async function open(link) {
  const tab = await openTab(link);
  const { user: userId, code } = await tab.fragment();
  const begin = async () =>
    ceremony(server, userId, await tab.call(server, "registerPasskey", { userId, code }));
  return { tab, userId, code, begin };
}

async function passkeyIds(user) {
  return (await user.passkeys()).map(({ passkeyId }) => passkeyId);
}

describe("a registration link", () => {
  test("is all that its user needs", TIMEOUT, async () => {
    const user = await server.user();
    const { link } = await user.link();
    const { tab, userId, begin } = await open(link);

    const begun = await begin();
    await tab.register(begun);

    assert.equal(link.startsWith(`${given.origin}/passkeys/#`), true);
    assert.equal(userId, user.userId);
    assert.deepEqual(await passkeyIds(user), [begun.passkeyId]);
  });

  test("is used up by the passkey", TIMEOUT, async () => {
    const user = await server.user();
    const { link } = await user.link();
    const { tab, begin } = await open(link);
    await tab.register(await begin());

    await assert.rejects(begin(), { reason: "LINK_USED" });

    await assert.rejects((await open(link)).begin(), { reason: "LINK_USED" });
    assert.equal((await user.passkeys()).length, 1);
  });

  test("is not used up by a scanner that loads it", TIMEOUT, async () => {
    const user = await server.user();
    const { link } = await user.link();
    const scanner = await open(link);
    await scanner.tab.prefetch(link);
    await scanner.tab.prefetch(`${server.webUrl}/passkeys/`);

    const { tab, begin } = await open(link);
    await tab.register(await begin());

    assert.equal((await user.passkeys()).length, 1);
  });

  test("is not used up by a ceremony that fails or is left", TIMEOUT, async () => {
    const user = await server.user();
    const { link } = await user.link();
    const { tab, begin } = await open(link);
    await begin();
    await assert.rejects(tab.register(await begin(), { challenge: "AAAAAAAAAAAAAAAAAAAAAA" }), {
      reason: "CREDENTIAL_NOT_VERIFIED",
    });

    await tab.register(await begin());

    assert.equal((await user.passkeys()).length, 1);
  });

  test("that two tabs race on makes one passkey", TIMEOUT, async () => {
    const user = await server.user();
    const { link } = await user.link();
    const tabs = [await open(link), await open(link)];
    const begun = await Promise.all(tabs.map(({ begin }) => begin()));
    const credentials = [];
    for (const [number, { tab }] of tabs.entries()) {
      credentials.push(await tab.createCredential(begun[number].options));
    }

    const answers = await Promise.allSettled(
      tabs.map(({ tab }, number) => tab.verify(begun[number], credentials[number])),
    );

    const reasons = answers.map(({ reason }) => reason?.reason ?? "registered");
    assert.deepEqual(reasons.toSorted(), ["LINK_USED", "registered"]);
    const winner = begun[reasons.indexOf("registered")];
    assert.deepEqual(await passkeyIds(user), [winner.passkeyId]);
  });

  test("ends when there is a newer one, its ceremonies with it", TIMEOUT, async () => {
    const user = await server.user();
    const older = await open((await user.link()).link);
    const begun = await older.begin();
    const credential = await older.tab.createCredential(begun.options);

    const newer = await open((await user.link()).link);

    await assert.rejects(older.tab.verify(begun, credential), { reason: "LINK_REPLACED" });
    await assert.rejects(older.begin(), { reason: "LINK_REPLACED" });
    await newer.tab.register(await newer.begin());
    assert.equal((await user.passkeys()).length, 1);
  });

  test("begins nothing after its time, and what it began before lives on", TIMEOUT, async () => {
    const user = await server.user();
    const { tab, begin } = await open((await user.link()).link);
    const begun = await begin();
    await expireLinks(user);

    await assert.rejects(begin(), { reason: "LINK_EXPIRED" });

    await tab.register(begun);
    assert.deepEqual(await passkeyIds(user), [begun.passkeyId]);
  });

  test("is of one user only", TIMEOUT, async () => {
    const [user, other] = [await server.user(), await server.user()];
    const { tab, code } = await open((await user.link()).link);

    const begun = tab.call(server, "registerPasskey", { userId: other.userId, code });

    await assert.rejects(begun, { code: UNAUTHENTICATED });
  });

  test("says to the authenticator which passkeys there are", TIMEOUT, async () => {
    const user = await server.user();
    const first = await open((await user.link()).link);
    await first.tab.register(await first.begin());
    const { userId } = user;
    const { code } = await user.link();
    const answer = await first.tab.call(server, "registerPasskey", { userId, code });

    const created = first.tab.createCredential(answer.publicKeyCredentialCreationOptions);

    await assert.rejects(created, { name: "InvalidStateError" });
  });
});
