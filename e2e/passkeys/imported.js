import assert from "node:assert/strict";
import { randomBytes, randomUUID } from "node:crypto";
import { test } from "node:test";
import { SignInService } from "../gen/keystead/signin/v1/signin_service_pb.js";
import { UserService } from "../gen/keystead/user/v1/user_service_pb.js";
import { ImportState } from "../gen/keystead/user/v1/user_import_pb.js";
import { passkeyOfElsewhere } from "../support/elsewhere.js";
import { given, TIMEOUT } from "../world.js";
import { openTab } from "./chromium.js";
import { server } from "./keystead.js";

const { startPasskeySignIn, completePasskeySignIn } = SignInService.method;

for (const handleBytes of [1, 36, 64]) {
  const title = `a passkey of another system with a handle of ${handleBytes} bytes signs in`;
  test(title, TIMEOUT, async () => {
    const passkey = passkeyOfElsewhere(randomBytes(handleBytes));
    const userId = `imported-${randomUUID()}`;
    const user = { userId, userName: userId, passkeys: [{ ...passkey.imported, signCount: 7n }] };
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
