/**
 * The registration link that the page was opened by: `#user=<user id>;code=<code>`. Earlier
 * releases wrote `&` for `;`.
 *
 * The fragment never leaves the browser. It is read once, removed from the address and the history,
 * and then kept in memory only: whoever uses the browser next finds no code.
 */

export interface Link {
  readonly userId: string;
  readonly code: string;
  /** As it was opened, to be opened in another browser. */
  readonly address: string;
}

/** How the page was opened. */
export type Opening = Link | "incomplete link" | "reloaded link" | "no link";

/** Reads the address, and removes from it what nobody else is to see. */
export function readLink(): Opening {
  const address = location.href;
  const parameters = new URLSearchParams(location.hash.slice(1).replace(";", "&"));
  const userId = parameters.get("user");
  const code = parameters.get("code");
  if (userId === null && code === null) return cameByLink() ? "reloaded link" : "no link";
  history.replaceState({ cameByLink: true }, "", location.pathname + location.search);
  return userId && code ? { userId, code, address } : "incomplete link";
}

/** After this, a reload begins afresh. */
export function forgetLink(): void {
  history.replaceState(null, "");
}

// That it came by a link survives a reload; the link does not.
function cameByLink(): boolean {
  const state: unknown = history.state;
  return typeof state === "object" && state !== null && "cameByLink" in state;
}
