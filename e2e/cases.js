import { create } from "@bufbuild/protobuf";
import { BinaryWriter, WireType } from "@bufbuild/protobuf/wire";
import { assert } from "chai";
import * as rpc from "./gen/google/rpc/error_details_pb.js";
import { Health, HealthCheckResponse_ServingStatus } from "./gen/grpc_health/v1/health_pb.js";
import {
  IdentityProviderService,
  StylingType,
} from "./gen/keystead/idp/v1/identity_provider_service_pb.js";
import { Role, UserService } from "./gen/keystead/user/v1/user_service_pb.js";
import {
  DEADLINE_EXCEEDED,
  INVALID_ARGUMENT,
  NOT_FOUND,
  RESOURCE_EXHAUSTED,
  UNAUTHENTICATED,
  UNIMPLEMENTED,
} from "./support/codes.js";

const { createIDP, getIDP, updateIDP } = IdentityProviderService.method;
const { getCurrentUser } = UserService.method;
const { check, watch } = Health.method;


const MIB = 1024 * 1024;
const MAX_MESSAGE_BYTES = 4 * MIB;
const UNICODE = "Zażółć gęślą jaźń, 身份提供者 🔑 מפתח";

/**
 * The tests of every client, by their names.
 *
 * `world` has the administrator's `token`, the `orgId` of another organization, and `lockedIdpId`: a
 * call that changes this identity provider waits until it is ended. `logged` returns the server's log
 * line of a request ID, and `waiting` returns when this number of calls waits for a lock.
 */
export function cases(client, world) {
  const authorized = { authorization: `Bearer ${world.token}` };

  const send = (method, init, { headers, ...options } = {}) => {
    const requestId = crypto.randomUUID();
    const answer = client.call(method, create(method.input, init), {
      headers: { ...authorized, "x-request-id": requestId, ...headers },
      ...options,
    });
    return { requestId, answer };
  };

  const call = async (...words) => send(...words).answer;

  const refused = async (...words) => {
    const { requestId, answer } = send(...words);
    const refusal = await failure(answer);
    const [info] = refusal.find(rpc.ErrorInfoSchema);
    const [request] = refusal.find(rpc.RequestInfoSchema);
    assert.equal(info?.domain, "keystead", refusal.message);
    assert.equal(request?.requestId, requestId);
    assert.equal((await world.logged(requestId)).reason, info.reason);
    refusal.reason = info.reason;
    return refusal;
  };

  const everyClient = {
    async "is told who it is"() {
      const { message } = await call(getCurrentUser, {});

      assert.equal(message.user.userName, "admin");
      assert.deepEqual(message.user.roles, [Role.INSTANCE_OWNER]);
    },

    async "adds, replaces and reads, in any script"() {
      const { message: added } = await call(createIDP, { name: "Plain" });
      const { message: updated } = await call(updateIDP, {
        idpId: added.idpId,
        name: UNICODE,
        stylingType: StylingType.PROVIDER,
        autoRegister: true,
      });
      const { idp } = (await call(getIDP, { idpId: added.idpId })).message;

      assert.equal(idp.name, UNICODE);
      assert.equal(idp.stylingType, StylingType.PROVIDER);
      assert.isTrue(idp.autoRegister);
      assert.equal(idp.details.sequence, updated.details.sequence);
      assert.isTrue(updated.details.sequence > added.details.sequence);
    },

    async "reads in the metadata that a method is deprecated"() {
      const { idpId } = (await call(createIDP, { name: "Old" })).message;

      const { metadata } = await call(updateIDP, { idpId, name: "New" });

      assert.equal(metadata.get("deprecation"), "@1795219200"); // 2026-11-21
      assert.include(metadata.get("link"), "PatchIDP");
      assert.include(metadata.get("link"), 'rel="successor-version"');
    },

    async "works in the organization that it names"() {
      const headers = { "x-service-orgid": world.orgId };

      const { message } = await call(createIDP, { name: "Elsewhere" }, { headers });

      assert.equal(message.details.resourceOwner, world.orgId);
      const elsewhere = await refused(getIDP, { idpId: message.idpId });
      assert.equal(elsewhere.code, NOT_FOUND);
    },

    async "hears of every wrong field at once"() {
      const refusal = await refused(createIDP, { name: "", stylingType: 7 });

      assert.equal(refusal.code, INVALID_ARGUMENT);
      assert.equal(refusal.reason, "INVALID_FIELDS");
      const [{ fieldViolations }] = refusal.find(rpc.BadRequestSchema);
      assert.sameMembers(
        fieldViolations.map(({ field }) => field),
        ["name", "stylingType"],
      );
      assert.include(refusal.message, "name");
    },

    async "gets back in a detail what it wrote, in any script"() {
      const refusal = await refused(getIDP, { idpId: UNICODE });

      assert.equal(refusal.code, NOT_FOUND);
      assert.equal(refusal.reason, "IDP_NOT_FOUND");
      const [{ resourceName }] = refusal.find(rpc.ResourceInfoSchema);
      assert.equal(resourceName, UNICODE);
    },

    async "is turned away without a token"() {
      const refusal = await refused(getCurrentUser, {}, { headers: { authorization: "" } });

      assert.equal(refusal.code, UNAUTHENTICATED);
    },

    async "hears from the server that its deadline has passed"() {
      const refusal = await refused(
        updateIDP,
        { idpId: world.lockedIdpId, name: "Late" },
        { headers: { "grpc-timeout": "300m" } },
      );

      assert.equal(refusal.code, DEADLINE_EXCEEDED);
    },

    async "cancels what the server is doing"() {
      await world.waiting(0);
      const controller = new AbortController();
      const { requestId, answer } = send(
        updateIDP,
        { idpId: world.lockedIdpId, name: "Never" },
        { signal: controller.signal },
      );
      const ended = failure(answer);
      await world.waiting(1);

      controller.abort();

      await ended;
      assert.equal((await world.logged(requestId)).code, "CANCELLED");
      await world.waiting(0);
    },

    async "sends as much as a message may have"() {
      for (const size of [3 * MIB, MAX_MESSAGE_BYTES]) {
        const { message } = await call(createIDP, { name: "Large" }, { size });
        assert.isNotEmpty(message.idpId);
      }
    },

    async "hears that a message is too large"() {
      const refusal = await refused(createIDP, { name: "Larger" }, { size: MAX_MESSAGE_BYTES + 1 });

      assert.equal(refusal.code, RESOURCE_EXHAUSTED);
      assert.equal(refusal.reason, "MESSAGE_TOO_LARGE");
    },
  };

  const everyRpcClient = {
    async "hears that a method is unknown"() {
      const unknown = { ...getCurrentUser, name: "NoSuchMethod" };

      assert.equal((await refused(unknown, {})).code, UNIMPLEMENTED);
    },

    async "keeps a deadline of its own"() {
      const { answer } = send(
        updateIDP,
        { idpId: world.lockedIdpId, name: "Late" },
        { timeoutMs: 300 },
      );

      assert.equal((await failure(answer)).code, DEADLINE_EXCEEDED);
    },

    async "asks for the health without a token"() {
      const { message } = await call(check, {}, { headers: { authorization: "" } });

      assert.equal(message.status, HealthCheckResponse_ServingStatus.SERVING);
    },

    async "hears why a stream does not begin"() {
      // A service name that is not UTF-8.
      const $unknown = [
        {
          no: 1,
          wireType: WireType.LengthDelimited,
          data: new BinaryWriter().bytes(Uint8Array.of(0xff)).finish(),
        },
      ];
      const answers = client.watch(watch, { ...create(watch.input), $unknown }, { headers: {} });

      const refusal = await failure(all(answers));

      assert.equal(refusal.code, INVALID_ARGUMENT);
      const [info] = refusal.find(rpc.ErrorInfoSchema);
      assert.equal(info.reason, "MALFORMED_MESSAGE");
    },

    async "hears why a stream ends"() {
      const answers = client.watch(watch, create(watch.input), {
        headers: { "grpc-timeout": "500m" },
      });
      const received = [];

      const refusal = await failure(all(answers, received));

      assert.deepEqual(
        received.map(({ status }) => status),
        [HealthCheckResponse_ServingStatus.SERVING],
      );
      assert.equal(refusal.code, DEADLINE_EXCEEDED);
    },
  };

  const everyStreamingClient = {
    async "reads a stream while it goes on, and leaves it"() {
      const requestId = crypto.randomUUID();
      const controller = new AbortController();
      const answers = client
        .watch(watch, create(watch.input), {
          headers: { "x-request-id": requestId },
          signal: controller.signal,
        })
        [Symbol.asyncIterator]();

      const { value } = await answers.next();
      assert.equal(value.status, HealthCheckResponse_ServingStatus.SERVING);
      controller.abort();

      assert.equal((await world.logged(requestId)).code, "CANCELLED");
    },
  };

  return {
    ...everyClient,
    ...(client.isRpc && everyRpcClient),
    ...(client.streams && everyStreamingClient),
  };
}

async function failure(answer) {
  try {
    await answer;
  } catch (error) {
    return error;
  }
  throw new Error("the call was not refused");
}

async function all(answers, received = []) {
  for await (const answer of answers) {
    received.push(answer);
  }
}
