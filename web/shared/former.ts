/**
 * Passkeys of a former domain. Where the browser knows related origins, this page uses them; otherwise the same page at
 * the old address does, and hands the signed challenge back in the fragment of this one's address.
 *
 * The challenge is kept in this tab only and used once, so that a sign-in that somebody else began is refused (login
 * CSRF). The old address gets nothing but the challenge: neither cookie nor session.
 */

import type { JsonObject } from "@bufbuild/protobuf";
import type { FormerRelyingParty } from "../gen/keystead/common/v1/former_relying_party_pb";
import { ROOT } from "./api";
import { FlowLostError } from "./refusals";
import { CONTINUE, decoded, storedRequest } from "./request";
import { signInService } from "./session";
import { inTab } from "./storage";
import { challengeOf, canUse, useCredential } from "./webauthn";

export type { FormerRelyingParty };

const STORAGE_KEY = "keystead.former";
const HANDED = "#passkey=";
/** The fragment of the sign-in page at the old address. */
export const ASKED = "#former=";

/** A sign-in that the old address goes on with. */
export interface Asked {
  readonly rpId: string;
  readonly challenge: string;
  readonly userVerification: string;
  /** The origin of the page that asks. */
  readonly from: string;
}

interface Kept extends Omit<Asked, "userVerification" | "from"> {
  readonly search: string;
}

/** A passkey that the old address has used; without a credential, the person came back without. */
export interface Handed {
  readonly rpId: string;
  readonly credential: JsonObject | undefined;
}

/**
 * Uses a passkey of the former domain for a sign-in.
 *
 * @returns undefined if it leaves for the old address
 * @throws ConnectError, DOMException, StorageBlockedError
 */
export async function useFormer(former: FormerRelyingParty): Promise<JsonObject | undefined> {
  const { rpId } = former;
  const { publicKeyCredentialRequestOptions: options = {} } = await signInService.startPasskeySignIn({ rpId });
  if (await canUse(rpId)) {
    try {
      return await useCredential(options, new AbortController().signal);
    } catch (error) {
      // The old address does not list this one.
      if (!(error instanceof DOMException && error.name === "SecurityError")) throw error;
    }
  }
  leaveFor(former, options);
  return undefined;
}

/** Goes to the old address for a sign-in. @throws ConnectError, StorageBlockedError */
export async function goToFormer(former: FormerRelyingParty): Promise<void> {
  const { rpId } = former;
  const { publicKeyCredentialRequestOptions: options = {} } = await signInService.startPasskeySignIn({ rpId });
  leaveFor(former, options);
}

function leaveFor({ rpId, origin }: FormerRelyingParty, options: JsonObject): void {
  const [challenge, userVerification] = [options["challenge"] as string, options["userVerification"] as string];
  const page = new URL("signin/", ROOT);
  const kept: Kept = { rpId, challenge, search: location.pathname === page.pathname ? location.search : "" };
  const asked: Asked = { rpId, challenge, userVerification, from: location.origin };
  inTab((storage) => storage.setItem(STORAGE_KEY, JSON.stringify(kept)));
  location.assign(origin + page.pathname + ASKED + encodeURIComponent(JSON.stringify(asked)));
}

/** The address that hands the signed challenge back; without a credential, it says that there is none. */
export function wayBack(origin: string, credential?: JsonObject): string {
  return origin + location.pathname + HANDED + (credential ? encodeURIComponent(JSON.stringify(credential)) : "");
}

/**
 * What the old address has handed back to this tab, once; undefined if this address says nothing of it.
 *
 * @throws FlowLostError for the challenge of another tab; StorageBlockedError
 */
export function takeHanded(): Handed | undefined {
  if (!location.hash.startsWith(HANDED)) return undefined;
  const given = decoded(location.hash.slice(HANDED.length));
  const stored = inTab((storage) => storage.getItem(STORAGE_KEY));
  inTab((storage) => storage.removeItem(STORAGE_KEY));
  const kept: Kept | undefined = stored === null ? undefined : JSON.parse(stored);
  const rest = storedRequest() ? CONTINUE : "";
  history.replaceState(null, "", location.pathname + (kept?.search ?? "") + rest);
  if (!kept) throw new FlowLostError();
  if (given === "") return { rpId: kept.rpId, credential: undefined };
  const credential = parsed(given);
  if (!credential || challengeOf(credential) !== kept.challenge) throw new FlowLostError();
  return { rpId: kept.rpId, credential };
}

/** The sign-in that the fragment of this address asks the old address for. */
export function readAsked(): Asked | undefined {
  if (!location.hash.startsWith(ASKED)) return undefined;
  const { rpId, challenge, userVerification, from } = parsed(decoded(location.hash.slice(ASKED.length))) ?? {};
  const asked = { rpId, challenge, userVerification, from };
  return Object.values(asked).every((each) => typeof each === "string") ? (asked as Asked) : undefined;
}

function parsed(json: string): JsonObject | undefined {
  try {
    const value: unknown = JSON.parse(json);
    return value !== null && typeof value === "object" ? (value as JsonObject) : undefined;
  } catch {
    return undefined;
  }
}
