/**
 * One passkey on its way: begun at the server, made by the device, saved at the server.
 *
 * What has succeeded is not done again: after a cancelled dialog the ceremony goes on, and after a
 * lost answer the same passkey is sent again, so that no device gathers passkeys that nobody knows.
 */

import type { JsonObject } from "@bufbuild/protobuf";
import { Code, ConnectError } from "@connectrpc/connect";
import type { RegisterPasskeyResponse } from "../gen/keystead/passkey/v1/passkey_service_pb";
import { as } from "./api";
import { reasonOf, violationOf } from "./refusals";
import { disown, makeCredential, rpIdOf } from "./webauthn";

export type Step = "beginning" | "making" | "saving";

interface Ceremony {
  readonly passkeyId: string;
  readonly registrationToken: string;
  readonly options: JsonObject;
  readonly begunAt: number;
}

// Half of the server's ten minutes: what is begun again and again must still have time to be saved.
const REUSED_MILLISECONDS = 5 * 60_000;

export class Registration {
  #ceremony: Ceremony | undefined;
  #credential: JsonObject | undefined;
  #mayBeSaved = false;

  constructor(
    private readonly userId: string,
    private readonly begin: () => Promise<RegisterPasskeyResponse>,
  ) {}

  /**
   * Goes on from where it was left, up to the saved passkey.
   *
   * @throws ConnectError, DOMException; it can be run again after each
   */
  async run(name: string, signal: AbortSignal, reached: (step: Step) => void): Promise<void> {
    reached("beginning");
    const ceremony = await this.#pending();
    reached("making");
    this.#credential ??= await makeCredential(ceremony.options, signal);
    reached("saving");
    await this.#save(ceremony, this.#credential, name);
  }

  async #pending(): Promise<Ceremony> {
    const isFresh = this.#ceremony && Date.now() - this.#ceremony.begunAt < REUSED_MILLISECONDS;
    if (this.#ceremony && (isFresh || this.#credential)) return this.#ceremony;
    const begun = await this.begin();
    this.#ceremony = {
      passkeyId: begun.passkeyId,
      registrationToken: begun.registrationToken,
      options: begun.publicKeyCredentialCreationOptions ?? {},
      begunAt: Date.now(),
    };
    return this.#ceremony;
  }

  async #save(ceremony: Ceremony, credential: JsonObject, name: string): Promise<void> {
    const { passkeyId, registrationToken } = ceremony;
    try {
      await as(registrationToken).passkeys.verifyPasskeyRegistration({
        userId: this.userId,
        passkeyId,
        publicKeyCredential: credential,
        passkeyName: name,
      });
    } catch (error) {
      if (this.#mayBeSaved && reasonOf(error) === "CHALLENGE_USED") return; // by the call before
      if (isFinal(error)) await this.#giveUp(error);
      else this.#mayBeSaved = true;
      throw error;
    }
  }

  /** The server has refused this passkey; another try is about a new one. */
  async #giveUp(error: unknown): Promise<void> {
    const { options } = this.#ceremony ?? {};
    const credential = this.#credential;
    this.#ceremony = this.#credential = undefined;
    this.#mayBeSaved = false;
    // What is registered already, by whomever, must not be disowned.
    const isKnown = ["CREDENTIAL_ALREADY_REGISTERED", "CHALLENGE_USED"].includes(reasonOf(error));
    if (options && credential && !isKnown) await disown(rpIdOf(options), credential);
  }
}

const FINAL = [
  Code.InvalidArgument,
  Code.NotFound,
  Code.AlreadyExists,
  Code.PermissionDenied,
  Code.ResourceExhausted,
  Code.FailedPrecondition,
  Code.Unauthenticated,
];

/** Whether the server itself has refused the passkey, and not only its name. */
function isFinal(error: unknown): boolean {
  const isItsOwn = error instanceof ConnectError && reasonOf(error) !== "";
  return isItsOwn && FINAL.includes(error.code) && !violationOf(error, "passkeyName");
}
