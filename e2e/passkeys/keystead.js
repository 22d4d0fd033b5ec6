import { create } from "@bufbuild/protobuf";
import { createGrpcTransport } from "@connectrpc/connect-node";
import { randomUUID } from "node:crypto";
import { connectClient } from "../clients/connect.js";
import { PasskeyService } from "../gen/keystead/passkey/v1/passkey_service_pb.js";
import { UserService } from "../gen/keystead/user/v1/user_service_pb.js";
import { given, observerUrl } from "../world.js";

const { registerPasskey, listPasskeys, removePasskey, createPasskeyRegistrationLink } =
  PasskeyService.method;

/**
 * A server, called by the backend of a page: over native gRPC, as an administrator. The page itself
 * gets only the options and the registration token of a ceremony.
 */
class Keystead {
  #client;

  constructor({ grpcUrl, webUrl }) {
    this.webUrl = webUrl;
    this.#client = connectClient("connect-node", createGrpcTransport({ baseUrl: grpcUrl }));
  }

  async call(method, init) {
    const headers = { authorization: `Bearer ${given.token}` };
    return (await this.#client.call(method, create(method.input, init), { headers })).message;
  }

  /** A new user, who has no token. */
  async user() {
    const userName = `user-${randomUUID()}`;
    const { userId } = await this.call(UserService.method.createUser, { userName });
    return new User(this, userId);
  }
}

class User {
  #keystead;

  constructor(keystead, userId) {
    this.#keystead = keystead;
    this.userId = userId;
  }

  /** Begins a ceremony of the user; returns the page's data of it. */
  async begin() {
    const { userId } = this;
    const begun = await this.#keystead.call(registerPasskey, { userId });
    return ceremony(this.#keystead, userId, begun);
  }

  async passkeys() {
    return (await this.#keystead.call(listPasskeys, { userId: this.userId })).passkeys;
  }

  async remove({ passkeyId }) {
    await this.#keystead.call(removePasskey, { userId: this.userId, passkeyId });
  }

  /** A registration link, delivered by the application. */
  async link() {
    const { userId } = this;
    const delivery = { case: "returnCode", value: {} };
    return this.#keystead.call(createPasskeyRegistrationLink, { userId, delivery });
  }
}

/** The page's data of a ceremony, by the answer to RegisterPasskey. */
export function ceremony({ webUrl }, userId, begun) {
  return {
    webUrl,
    userId,
    passkeyId: begun.passkeyId,
    options: begun.publicKeyCredentialCreationOptions,
    token: begun.registrationToken,
  };
}

/** Moves the end of a ceremony into the past. */
export const expire = ({ passkeyId }) => observed(`/expire/ceremony/${passkeyId}`);

/** Moves the end of all links of a user into the past. */
export const expireLinks = ({ userId }) => observed(`/expire/links/${userId}`);

async function observed(path) {
  const { ok } = await fetch(observerUrl + path, { method: "POST" });
  if (!ok) {
    throw new Error(`nothing to do for ${path}`);
  }
}

/** With default settings: user verification is required, and no page may embed its pages. */
export const server = new Keystead(given.server);
/** The same instance, with user verification preferred and pages of `embeddingOrigin` allowed. */
export const lenientServer = new Keystead(given.lenientServer);
/** The same instance, of a relying party that has https and a related origin. */
export const relatedServer = new Keystead(given.relatedServer);
