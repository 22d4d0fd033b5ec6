/**
 * The organization whose identity providers are offered: named in the address, and remembered by the browser.
 *
 * Whoever signs out or loses a session is led here without it.
 */

const KEPT = "keystead.organization";

export function organization(): string {
  const named = new URLSearchParams(location.search).get("org_id");
  if (named !== null) localStorage.setItem(KEPT, named);
  return named ?? localStorage.getItem(KEPT) ?? "";
}
