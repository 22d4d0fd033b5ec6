import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { given, TIMEOUT } from "../world.js";
import { openTab } from "./chromium.js";
import { relatedServer } from "./keystead.js";

// Chromium reads the list over https, from the domain of the relying party:
// https://www.w3.org/TR/webauthn-3/#sctn-related-origins
describe("a page of a related origin", () => {
  for (const name of ["secureOrigin", "relatedOrigin"]) {
    test(`registers a passkey as that of the relying party does: ${name}`, TIMEOUT, async () => {
      const user = await relatedServer.user();
      const tab = await openTab(given[name]);
      const ceremony = await user.begin();

      await tab.register(ceremony);

      const [passkey] = await user.passkeys();
      assert.equal(passkey.passkeyId, ceremony.passkeyId);
      assert.equal(passkey.rpId, new URL(given.secureOrigin).hostname);
    });
  }

  test("is refused by the browser unless the server lists it", TIMEOUT, async () => {
    const tab = await openTab(given.unrelatedOrigin);
    const { options } = await (await relatedServer.user()).begin();

    await assert.rejects(tab.createCredential(options), {
      name: "SecurityError",
      message: /no listed origin matched the caller/,
    });
  });
});
