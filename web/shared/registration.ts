/**
 * A registration in three steps: begun at the server, made by the authenticator, saved at the server.
 *
 * Another attempt continues after the last successful step: after a cancelled dialog with the same
 * ceremony, and after a lost response with the same passkey, so that authenticators do not collect
 * passkeys that the server lacks.
 */

import type { JsonObject } from "@bufbuild/protobuf";
import { Code, ConnectError } from "@connectrpc/connect";
import type { RegisterPasskeyResponse } from "../gen/keystead/passkey/v1/passkey_service_pb";
import { withToken } from "./api";
import { isRefused, reasonOf, type Step } from "./refusals";
import { disown, makeCredential, rpIdOf } from "./webauthn";

interface Ceremony {
  readonly passkeyId: string;
  readonly registrationToken: string;
  readonly options: JsonObject;
  readonly begunAt: number;
}

// Half of the server's ten minutes, so that a reused ceremony has time left.
const REUSED_MILLISECONDS = 5 * 60_000;

export class Registration {
  #ceremony: Ceremony | undefined;
  #credential: JsonObject | undefined;
  #mayBeSaved = false;

  constructor(
    private readonly userId: string,
    private readonly begin: () => Promise<RegisterPasskeyResponse>,
    private readonly mediation: CredentialMediationRequirement = "optional",
  ) {}

  /**
   * Continues after the last successful step, up to the saved passkey. Returns the registration token.
   *
   * @throws ConnectError, DOMException; it can be run again after each
   */
  async run(name: string, signal: AbortSignal, reached: (step: Step) => void): Promise<string> {
    reached("beginning");
    const ceremony = await this.#pending();
    reached("making");
    this.#credential ??= await makeCredential(ceremony.options, signal, this.mediation);
    reached("saving");
    await this.#save(ceremony, this.#credential, name);
    return ceremony.registrationToken;
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
      await withToken(registrationToken).passkeys.verifyPasskeyRegistration({
        userId: this.userId,
        passkeyId,
        publicKeyCredential: credential,
        passkeyName: name,
      });
    } catch (error) {
      if (this.#mayBeSaved && reasonOf(error) === "CHALLENGE_USED") return; // saved by the previous call
      if (isFinal(error)) await this.#giveUp(error);
      else this.#mayBeSaved = true;
      throw error;
    }
  }

  /** Forgets a passkey that the server refused; the next attempt makes another one. */
  async #giveUp(error: unknown): Promise<void> {
    const { options } = this.#ceremony ?? {};
    const credential = this.#credential;
    // The provider deletes the passkey permanently, so only if the server certainly lacks it.
    const mayBeKnown = this.#mayBeSaved || REGISTERED.includes(reasonOf(error));
    this.#ceremony = this.#credential = undefined;
    this.#mayBeSaved = false;
    if (options && credential && !mayBeKnown) await disown(rpIdOf(options), credential);
  }
}

/** Reasons of refusals by which the server may have the passkey. */
const REGISTERED = ["CREDENTIAL_ALREADY_REGISTERED", "CHALLENGE_USED"];

const FINAL = [
  Code.InvalidArgument,
  Code.NotFound,
  Code.AlreadyExists,
  Code.PermissionDenied,
  Code.ResourceExhausted,
  Code.FailedPrecondition,
  Code.Unauthenticated,
];

/** Whether the server, not a proxy, refused the passkey, and not only its name or the rate of calls. */
function isFinal(error: unknown): boolean {
  const isOfPasskey = error instanceof ConnectError && !["", "RATE_LIMITED"].includes(reasonOf(error));
  return isOfPasskey && FINAL.includes(error.code) && !isRefused(error, "passkeyName");
}
