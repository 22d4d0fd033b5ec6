/**
 * The organization whose identity providers are offered: from the address, otherwise from the last visit.
 *
 * After a sign-out or the end of a session, the address does not name it.
 */

const STORAGE_KEY = "keystead.organization";

export function organization(): string {
  const named = new URLSearchParams(location.search).get("org_id");
  if (named !== null) localStorage.setItem(STORAGE_KEY, named);
  return named ?? localStorage.getItem(STORAGE_KEY) ?? "";
}
