/**
 * The authorization request of an application, sealed by the server, on its way through the sign-in.
 *
 * The server redirects to `/signin/#request=`. This tab stores the request, and the address becomes
 * `/signin/#continue`, to which every way of signing in comes back. `/signin/` without it ends the request.
 */

import { inTabOr } from "./storage";

const STORAGE_KEY = "keystead.authorization";
const GIVEN = "#request=";
/** The fragment of the sign-in page that continues with the stored request. */
export const CONTINUE = "#continue";

export interface SealedRequest {
  readonly sealed: string;
  /** The person has chosen an account for it. */
  readonly isChosen?: boolean;
}

/** The request of this address, or the stored one if the address continues it; undefined without either. */
export function takeRequest(): SealedRequest | undefined {
  const { hash, pathname, search } = location;
  if (hash === CONTINUE) return storedRequest();
  if (!hash.startsWith(GIVEN)) {
    forgetRequest();
    return undefined;
  }
  const request = { sealed: decoded(hash.slice(GIVEN.length)) };
  keepRequest(request);
  history.replaceState(null, "", pathname + search + CONTINUE);
  return request;
}

/** Stores the request in this tab. Where storage is blocked, only this page knows it. */
export function keepRequest(request: SealedRequest): void {
  inTabOr(undefined, (storage) => storage.setItem(STORAGE_KEY, JSON.stringify(request)));
}

/** The request that this tab has stored. */
export function storedRequest(): SealedRequest | undefined {
  const stored = inTabOr(null, (storage) => storage.getItem(STORAGE_KEY));
  return stored ? (JSON.parse(stored) as SealedRequest) : undefined;
}

/** Call when the request has ended in any way. */
export function forgetRequest(): void {
  inTabOr(undefined, (storage) => storage.removeItem(STORAGE_KEY));
}

/** The text of a fragment. One that is not encoded as it should be is left as it is; the server refuses it. */
export function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
