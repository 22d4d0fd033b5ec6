/** The challenge of a sign-in: requested once, renewed before it expires, used for one attempt. */

import type { JsonObject } from "@bufbuild/protobuf";
import type { FormerRelyingParty } from "../shared/former";
import { signInService } from "../shared/session";

/** Well before the ten minutes of the server, within which the person must finish. */
export const RENEWED_MILLISECONDS = 4 * 60_000;

export class Challenge {
  #options: JsonObject | undefined;
  #askedAt = 0;
  /** Former domains whose passkeys could be asked for, once there are options. */
  former: readonly FormerRelyingParty[] = [];

  /** Options with a challenge that is recent enough. @throws ConnectError */
  async options(): Promise<JsonObject> {
    if (this.#options && !this.isOld) return this.#options;
    const askedAt = Date.now();
    const started = await signInService.startPasskeySignIn({});
    this.#askedAt = askedAt;
    this.former = started.formerRelyingParties;
    this.#options = started.publicKeyCredentialRequestOptions ?? {};
    return this.#options;
  }

  get isOld(): boolean {
    return Date.now() - this.#askedAt >= RENEWED_MILLISECONDS;
  }

  /** Call after each attempt. */
  forget(): void {
    this.#options = undefined;
  }
}
