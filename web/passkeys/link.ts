/**
 * The registration link that opened the page: `#user=<user id>;code=<code>`. Links of older releases have
 * `&` in place of `;`.
 *
 * The fragment never leaves the browser. It is read once, removed from the address and the history,
 * and then kept in memory only: the next user of the browser finds no code.
 */

export interface Link {
  readonly userId: string;
  readonly code: string;
  /** The whole URL, to open it in another browser. */
  readonly address: string;
}

/** The link, or the reason why there is none. */
export type Opening = Link | "incomplete link" | "reloaded link" | "no link";

/** Reads the link and removes it from the address. */
export function readLink(): Opening {
  const address = location.href;
  const parameters = new URLSearchParams(location.hash.slice(1).replace(";", "&"));
  const userId = parameters.get("user");
  const code = parameters.get("code");
  if (userId === null && code === null) return cameByLink() ? "reloaded link" : "no link";
  history.replaceState({ cameByLink: true }, "", location.pathname + location.search);
  return userId && code ? { userId, code, address } : "incomplete link";
}

/** Makes a reload start without a link. */
export function forgetLink(): void {
  history.replaceState(null, "");
}

// A reload keeps this state of the history, but not the link.
function cameByLink(): boolean {
  const state: unknown = history.state;
  return typeof state === "object" && state !== null && "cameByLink" in state;
}
