import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { given, pagePort, TIMEOUT } from "../world.js";
import { openTab } from "./chromium.js";
import { expire, lenientServer, server } from "./keystead.js";
import { PERMISSION_DENIED } from "../support/codes.js";

const MAX_ATTEMPTS = 10;
const OTHER_CHALLENGE = { challenge: "b2YgYW5vdGhlciBzZXJ2ZXIsIGFuZCAzMiBieXRlcy4" };

describe("user verification", () => {
  test("is demanded of the authenticator", TIMEOUT, async () => {
    const tab = await openTab(given.origin, { hasUserVerification: false });
    const { options } = await (await server.user()).begin();

    await assert.rejects(tab.createCredential(options), { name: "NotAllowedError" });
  });

  test("is demanded by the server although the page has not", TIMEOUT, async () => {
    const user = await server.user();
    const tab = await openTab(given.origin, { hasUserVerification: false });
    const ceremony = await user.begin();
    const { authenticatorSelection } = ceremony.options;

    const registered = tab.register(ceremony, {
      authenticatorSelection: { ...authenticatorSelection, userVerification: "discouraged" },
    });

    await assert.rejects(registered, { reason: "USER_NOT_VERIFIED" });
    assert.deepEqual(await user.passkeys(), []);
  });

  test("is what the ceremony was begun with, whichever server ends it", TIMEOUT, async () => {
    const user = await lenientServer.user();
    const tab = await openTab(given.origin, { hasUserVerification: false });
    const ceremony = await user.begin();

    await tab.register({ ...ceremony, webUrl: server.webUrl });

    const [passkey] = await user.passkeys();
    assert.equal(passkey.userVerified, false);
  });

  test("fails while the user does not succeed in it, and may be tried again", TIMEOUT, async () => {
    const user = await server.user();
    const tab = await openTab(given.origin, { isUserVerified: false });
    const ceremony = await user.begin();

    await assert.rejects(tab.createCredential(ceremony.options), { name: "NotAllowedError" });
    await tab.recognizesUser(true);
    await tab.register(ceremony);

    const [passkey] = await user.passkeys();
    assert.equal(passkey.userVerified, true);
  });
});

describe("a page of another origin", () => {
  test("on the same domain is refused by the server", TIMEOUT, async () => {
    const user = await server.user();
    const tab = await openTab(given.foreignOrigin);

    await assert.rejects(tab.register(await user.begin()), {
      reason: "ORIGIN_NOT_ALLOWED",
      metadata: { origin: given.foreignOrigin },
    });

    assert.deepEqual(await user.passkeys(), []);
  });

  // Chromium lets nobody claim a domain of one label but the domain itself, so not even
  // http://embedding.localhost may be of the relying party localhost; nor may an address.
  for (const origin of [given.embeddingOrigin, `http://127.0.0.1:${pagePort}`]) {
    test(`elsewhere is refused by the browser: ${new URL(origin).hostname}`, TIMEOUT, async () => {
      const tab = await openTab(origin);
      const { options } = await (await server.user()).begin();

      await assert.rejects(tab.createCredential(options), { name: "SecurityError" });
    });
  }

  test("that claims a relying party of its own is refused by the server", TIMEOUT, async () => {
    const user = await server.user();
    const tab = await openTab(given.embeddingOrigin);
    const ceremony = await user.begin();
    const { hostname } = new URL(given.embeddingOrigin);
    const credential = await tab.createCredential({
      ...ceremony.options,
      rp: { id: hostname, name: "Keystead" },
    });
    // Its answer reaches the server by way of a page that may call it.
    const relay = await openTab(given.origin);

    await assert.rejects(relay.verify(ceremony, credential), { reason: "ORIGIN_NOT_ALLOWED" });

    assert.deepEqual(await user.passkeys(), []);
  });
});

describe("a page in a frame", () => {
  test("may not be embedded by another origin", TIMEOUT, async () => {
    const user = await server.user();
    const tab = await openTab(given.embeddingOrigin);
    await tab.embed(given.origin, "publickey-credentials-create");

    await assert.rejects(tab.register(await user.begin()), {
      reason: "ORIGIN_NOT_ALLOWED",
      metadata: { origin: given.embeddingOrigin },
    });

    assert.deepEqual(await user.passkeys(), []);
  });

  test("may be, once the settings list that", TIMEOUT, async () => {
    const user = await lenientServer.user();
    const tab = await openTab(given.embeddingOrigin);
    await tab.embed(given.origin, "publickey-credentials-create");
    const ceremony = await user.begin();

    await tab.register(ceremony);

    const [passkey] = await user.passkeys();
    assert.equal(passkey.passkeyId, ceremony.passkeyId);
  });

  test("needs besides that the permission of the page around it", TIMEOUT, async () => {
    const tab = await openTab(given.embeddingOrigin);
    await tab.embed(given.origin, "");
    const { options } = await (await lenientServer.user()).begin();

    await assert.rejects(tab.createCredential(options), { name: "NotAllowedError" });
  });
});

describe("a ceremony", () => {
  test("takes no credential that was made for another challenge", TIMEOUT, async () => {
    const user = await server.user();
    const tab = await openTab(given.origin);
    const ceremony = await user.begin();

    await assert.rejects(tab.register(ceremony, OTHER_CHALLENGE), {
      reason: "CREDENTIAL_NOT_VERIFIED",
    });

    await tab.register(ceremony); // and lives on
    assert.equal((await user.passkeys()).length, 1);
  });

  test("ends when too many credentials were wrong", TIMEOUT, async () => {
    const user = await server.user();
    const tab = await openTab(given.origin);
    const ceremony = await user.begin();
    const wrong = await tab.createCredential({ ...ceremony.options, ...OTHER_CHALLENGE });
    for (let attempt = 1; attempt <= MAX_ATTEMPTS; attempt++) {
      await assert.rejects(tab.verify(ceremony, wrong), { reason: "CREDENTIAL_NOT_VERIFIED" });
    }

    await assert.rejects(tab.register(ceremony), { reason: "TOO_MANY_ATTEMPTS" });

    await tab.register(await user.begin());
    assert.equal((await user.passkeys()).length, 1);
  });

  test("ends with its time", TIMEOUT, async () => {
    const user = await server.user();
    const tab = await openTab(given.origin);
    const ceremony = await user.begin();
    const credential = await tab.createCredential(ceremony.options);
    await expire(ceremony);

    await assert.rejects(tab.verify(ceremony, credential), { reason: "CHALLENGE_EXPIRED" });

    assert.deepEqual(await user.passkeys(), []);
  });

  test("is completed by its own registration token only", TIMEOUT, async () => {
    const [user, other] = [await server.user(), await server.user()];
    const tab = await openTab(given.origin);
    const ceremony = await user.begin();
    const credential = await tab.createCredential(ceremony.options);
    for (const { token } of [await user.begin(), await other.begin()]) {
      await assert.rejects(tab.verify({ ...ceremony, token }, credential), {
        code: PERMISSION_DENIED,
      });
    }

    await tab.verify(ceremony, credential);

    assert.equal((await user.passkeys()).length, 1);
  });

  test("gives with its token no right to anything else", TIMEOUT, async () => {
    const { userId, passkeyId, token } = await (await server.user()).begin();
    const tab = await openTab(given.origin);
    const calls = {
      registerPasskey: { userId },
      listPasskeys: { userId },
      removePasskey: { userId, passkeyId },
      createPasskeyRegistrationLink: { userId, returnCode: {} },
    };
    for (const [method, request] of Object.entries(calls)) {
      await assert.rejects(tab.call(server, method, request, token), { code: PERMISSION_DENIED });
    }
  });
});
