import assert from "node:assert/strict";
import { generateKeyPairSync, randomBytes, randomUUID } from "node:crypto";
import { test } from "node:test";
import { SignInService } from "../gen/keystead/signin/v1/signin_service_pb.js";
import { UserService } from "../gen/keystead/user/v1/user_service_pb.js";
import { ImportState } from "../gen/keystead/user/v1/user_import_pb.js";
import { given, TIMEOUT } from "../world.js";
import { openTab } from "./chromium.js";
import { server } from "./keystead.js";

const { startPasskeySignIn, completePasskeySignIn } = SignInService.method;

for (const handleBytes of [1, 36, 64]) {
  const title = `a passkey of another system with a handle of ${handleBytes} bytes signs in`;
  test(title, TIMEOUT, async () => {
    const passkey = passkeyOfElsewhere(randomBytes(handleBytes));
    const userId = `imported-${randomUUID()}`;
    const user = { userId, userName: userId, passkeys: [passkey.imported] };
    const { results } = await server.call(UserService.method.importUsers, { users: [user] });
    assert.deepEqual(
      results.map(({ state }) => state),
      [ImportState.IMPORTED],
    );
    const tab = await openTab(given.origin);
    await tab.inject(passkey.injected);

    const started = await server.call(startPasskeySignIn, {});
    const publicKeyCredential = await tab.getCredential(started.publicKeyCredentialRequestOptions);
    const signedIn = await server.call(completePasskeySignIn, { publicKeyCredential });

    assert.equal(signedIn.userId, userId);
  });
}

/** A passkey with its private key: as an export has it, and as DevTools give it to Chromium. */
function passkeyOfElsewhere(userHandle) {
  const credentialId = randomBytes(64);
  const { publicKey, privateKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
  const { x, y } = publicKey.export({ format: "jwk" });
  // RFC 9053, section 7.1.1: {1: 2, 3: -7, -1: 1, -2: x, -3: y}
  const cose = Buffer.concat([
    Buffer.from("a5010203262001215820", "hex"),
    Buffer.from(x, "base64url"),
    Buffer.from("225820", "hex"),
    Buffer.from(y, "base64url"),
  ]);
  const rpId = new URL(given.origin).hostname;
  return {
    imported: {
      credentialId: credentialId.toString("base64url"),
      publicKey: cose.toString("base64url"),
      userHandle: userHandle.toString("base64url"),
      rpId,
      signCount: 7n,
    },
    injected: {
      credentialId: credentialId.toString("base64"),
      privateKey: privateKey.export({ type: "pkcs8", format: "der" }).toString("base64"),
      userHandle: userHandle.toString("base64"),
      rpId,
      signCount: 7,
    },
  };
}
