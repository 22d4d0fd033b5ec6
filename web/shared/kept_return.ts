/**
 * The page to which the sign-in page sends the person back, kept in this tab while the person signs in.
 *
 * Anybody can write it into an address, so no page goes there before the server has allowed it.
 */

import { type Child, h } from "./dom";
import { inTabOr } from "./storage";
import { text, textWith } from "./words";

const STORAGE_KEY = "keystead.return";

/** The page that the address of the sign-in page names; empty without one. */
export function namedReturn(): string {
  return new URLSearchParams(location.search).get("return_to") ?? "";
}

/** Where storage is blocked, only the sign-in with a passkey leads back, by the address of this page. */
export function keepReturn(url: string): void {
  inTabOr(undefined, (storage) => (url ? storage.setItem(STORAGE_KEY, url) : storage.removeItem(STORAGE_KEY)));
}

export function keptReturn(): string {
  return inTabOr(namedReturn(), (storage) => storage.getItem(STORAGE_KEY) ?? "");
}

/** Whether the page is the console of this server. */
export function isConsole(page: string): boolean {
  return page.startsWith(new URL("../console/", location.href).href);
}

/** Tells where the person goes on to afterwards. */
export function returnNote(page: string): Child[] {
  if (isConsole(page)) return [text("signIn.returnToConsole")];
  return textWith("signIn.returnTo", { host: h("strong", {}, new URL(page).host) });
}
