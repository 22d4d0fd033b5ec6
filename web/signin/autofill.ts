/** Passkeys by autofill of an input field: conditional mediation (WebAuthn Level 3, section 5.1.4). */

import type { JsonObject } from "@bufbuild/protobuf";
import { canAutofill, useCredential } from "../shared/webauthn";
import { type Challenge, RENEWED_MILLISECONDS } from "./challenge";

/** The time between a failed call and the next attempt. */
const RETRY_MILLISECONDS = 30_000;

export class Autofill {
  #round: AbortController | undefined;

  constructor(
    private readonly challenge: Challenge,
    private readonly chosen: (credential: JsonObject) => void,
  ) {
    // Browsers delay timers of hidden pages.
    document.addEventListener("visibilitychange", () => {
      if (!document.hidden && this.#round && challenge.isOld) void this.start();
    });
  }

  /** Offers passkeys until one is chosen or `stop` is called. Does nothing in a browser without autofill. */
  async start(): Promise<void> {
    this.stop();
    const round = new AbortController();
    this.#round = round;
    const again = () => {
      if (this.#round === round) void this.start();
    };
    try {
      if (!(await canAutofill())) return;
      const options = await this.challenge.options();
      if (round.signal.aborted) return;
      setTimeout(again, RENEWED_MILLISECONDS);
      const credential = await useCredential(options, round.signal, "conditional");
      if (round.signal.aborted) return;
      this.#round = undefined;
      this.chosen(credential);
    } catch (error) {
      // The button still works, and shows errors.
      console.debug("no passkey was offered", error);
      if (!(error instanceof DOMException)) setTimeout(again, RETRY_MILLISECONDS);
    }
  }

  /** Ends the offer: a page can have one ceremony at a time. */
  stop(): void {
    this.#round?.abort();
    this.#round = undefined;
  }
}
