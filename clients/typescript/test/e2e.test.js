// Against the servers of e2e/test_keystead_clients.py.
import assert from "node:assert/strict";
import { mkdtemp, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { setTimeout } from "node:timers/promises";
import { Code, ConnectError, createClient } from "@connectrpc/connect";
import {
  connect,
  EndedSessions,
  Introspector,
  KeySet,
  KeysteadError,
  RefusedSessionError,
  SessionVerifier,
  tokenFile,
} from "keystead-client";
import { connect as connectWeb } from "keystead-client/web";
import { IdentityProviderService } from "keystead-client/keystead/idp/v1/identity_provider_service_pb.js";
import { UserService } from "keystead-client/keystead/user/v1/user_service_pb.js";

const world = JSON.parse(process.env.KEYSTEAD_E2E);
const channel = (token = world.token, address = world.grpcAddress) => connect(address, token, { plaintext: true });

/** Tells the test server to do something, and gives its answer. */
async function observe(path) {
  const answer = await fetch(world.observerUrl + path);
  assert.equal(answer.status, 200, path);
  return answer.json();
}

async function eventually(withinMs, holds) {
  const end = Date.now() + withinMs;
  while (!(await holds())) {
    assert.ok(Date.now() < end, `it does not hold within ${withinMs} ms`);
    await setTimeout(10);
  }
}

test("a call has the token of the file, by gRPC and grpc-web", async () => {
  const file = join(await mkdtemp(join(tmpdir(), "keystead-")), "token");
  await writeFile(file, `${world.token}\n`);

  for (const transport of [channel(tokenFile(file)), connectWeb(world.webUrl, tokenFile(file))]) {
    const { user } = await createClient(UserService, transport).getCurrentUser({});
    assert.equal(user.userName, "admin");
  }
});

test("an error has its details, by gRPC and grpc-web", async () => {
  for (const transport of [channel(), connectWeb(world.webUrl, world.token)]) {
    const users = createClient(UserService, transport);
    const invalid = await users.createUser({}).catch((error) => error);
    assert.ok(invalid instanceof KeysteadError && invalid instanceof ConnectError);
    assert.equal(invalid.code, Code.InvalidArgument);
    assert.equal(invalid.reason, "INVALID_FIELDS");
    assert.deepEqual(invalid.violations, { userName: "must not be empty" });
    assert.ok(invalid.requestId);

    const missing = await users.getUser({ userId: "nobody" }).catch((error) => error);
    assert.deepEqual(missing.resource, { type: "user", name: "nobody" });
  }
  assert.ok(!(new ConnectError("another") instanceof KeysteadError));
});

test("a change whose answer is lost is made once", async () => {
  const idps = createClient(IdentityProviderService, channel());
  const name = "Lost in TypeScript";
  const named = async () => (await idps.listIDPs({})).idps.filter((idp) => idp.name === name).length;
  assert.equal(await named(), 0);

  await observe(`/lose-the-answer/${name}`);
  assert.ok((await idps.createIDP({ name })).idpId);

  assert.equal(await named(), 1);
  assert.deepEqual(await observe("/lost"), { answers: "1" });
});

test("a call that is aborted is repeated if the server names a time", async () => {
  const idps = createClient(IdentityProviderService, channel());
  const { idpId } = await idps.createIDP({ name: "Locked in TypeScript" });
  const patch = { idp: { idpId, name: "Patched in TypeScript" }, updateMask: { paths: ["name"] } };

  await observe(`/lock/${idpId}`);
  await idps.patchIDP(patch);

  const started = Date.now();
  const mismatch = await idps.patchIDP(patch, { headers: { "if-match": '"1"' } }).catch((error) => error);
  assert.equal(mismatch.reason, "ETAG_MISMATCH");
  assert.ok(mismatch.reasonMetadata.sequence);
  assert.ok(Date.now() - started < 5_000);
});

test("a session that has ended is refused within two seconds", async () => {
  const verifying = channel(world.verifierToken);
  const ended = new EndedSessions(verifying);
  const { issuer, audience } = world;
  const verifier = new SessionVerifier(new KeySet(world.webUrl), { issuer, audience, ended });
  const introspector = new Introspector(verifying, { ended, cachedMs: 3_600_000 });
  await eventually(10_000, () => ended.behindMs < 3_600_000);
  const { jwt, sessionId, sessionToken, userId } = await observe("/sign-in");

  const session = await verifier.verify(jwt);
  assert.deepEqual([session.sessionId, session.userId], [sessionId, userId]);
  const answer = await introspector.introspect(sessionToken);
  assert.deepEqual([answer.active, answer.user.userId], [true, userId]);

  await observe(`/sign-out/${sessionToken}`);
  await eventually(2_000, () => ended.has(sessionId));
  await assert.rejects(verifier.verify(jwt), (error) => error instanceof RefusedSessionError);
  assert.equal((await introspector.introspect(sessionToken)).active, false);
  assert.equal((await introspector.introspect("kss_unknown")).active, false);
  ended.close();
});

test("the watch resumes after its connection was cut", async () => {
  const ended = new EndedSessions(channel(world.verifierToken));
  const uncut = new EndedSessions(channel(world.verifierToken, world.directAddress));
  await eventually(10_000, () => ended.cursor && uncut.cursor);
  const { sessionId, sessionToken } = await observe("/sign-in");

  await observe("/cut");
  await observe(`/sign-out/${sessionToken}`);
  // A stream that begins now is not told of this end any more.
  await eventually(10_000, () => uncut.has(sessionId));
  assert.ok(!ended.has(sessionId));
  await observe("/mend");

  await eventually(20_000, () => ended.has(sessionId));
  ended.close();
  uncut.close();
});
