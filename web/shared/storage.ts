/** Storage of this browser for this address. People and their organizations can block it. */

/** The browser blocks storage for this address. */
export class StorageBlockedError extends Error {}

/** Uses the storage of the tab. @throws StorageBlockedError */
export function inTab<Result>(use: (storage: Storage) => Result): Result {
  try {
    return use(sessionStorage);
  } catch (error) {
    throw new StorageBlockedError("the storage of the tab", { cause: error });
  }
}

/** The same, or `otherwise` where it is blocked. */
export function inTabOr<Result>(otherwise: Result, use: (storage: Storage) => Result): Result {
  try {
    return use(sessionStorage);
  } catch {
    return otherwise;
  }
}

/** Uses the storage of the browser, if it is allowed. */
export function inBrowser<Result>(use: (storage: Storage) => Result): Result | undefined {
  try {
    return use(localStorage);
  } catch {
    return undefined;
  }
}

/**
 * Whether the browser keeps a cookie with the attributes of the session's (decision 13), except that scripts see it.
 *
 * The name is random: two tabs that open at the same time would remove the cookie of each other.
 */
export function keepsCookies(): boolean {
  const probe = `__Host-keystead-probe-${crypto.randomUUID()}=1`;
  const attributes = "Path=/; Secure; SameSite=Lax";
  document.cookie = `${probe}; ${attributes}`;
  const isKept = document.cookie.split("; ").includes(probe);
  document.cookie = `${probe}; ${attributes}; Max-Age=0`;
  return isKept;
}
