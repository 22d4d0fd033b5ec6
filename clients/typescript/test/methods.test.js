import assert from "node:assert/strict";
import { test } from "node:test";
import { SessionService } from "keystead-client/keystead/session/v1/session_service_pb.js";
import { SignInService } from "keystead-client/keystead/signin/v1/signin_service_pb.js";
import { SMTPService } from "keystead-client/keystead/smtp/v1/smtp_service_pb.js";
import { UserService } from "keystead-client/keystead/user/v1/user_service_pb.js";
import { kindOf } from "../dist/methods.js";

test("only reads and changes with a key are repeated", () => {
  assert.equal(kindOf(UserService.method.getUser), "read");
  assert.equal(kindOf(SessionService.method.introspectSession), "read");
  assert.equal(kindOf(UserService.method.createUser), "keyed");
  assert.equal(kindOf(SMTPService.method.testSMTPConfig), "once");
  assert.equal(kindOf(SignInService.method.completePasskeySignIn), "once");
  assert.equal(kindOf(SessionService.method.watchEndedSessions), "once");
});
