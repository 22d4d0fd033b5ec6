/**
 * The organization whose identity providers the sign-in page offers.
 *
 * After a sign-out or the end of a session, the address does not name it. The browser remembers the organization
 * of the user who signed in, never that of an address: anybody can send a link.
 */

import { inBrowser } from "./storage";

const STORAGE_KEY = "keystead.organization";

/** The organization in the address, otherwise the remembered one; empty without either. */
export function organization(): string {
  const named = new URLSearchParams(location.search).get("org_id");
  return named ?? inBrowser((storage) => storage.getItem(STORAGE_KEY)) ?? "";
}

/** Remembers the organization of a user who is signed in and has linked providers. */
export function rememberOrganization(orgId: string): void {
  inBrowser((storage) => storage.setItem(STORAGE_KEY, orgId));
}
