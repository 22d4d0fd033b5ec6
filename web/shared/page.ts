/** The beginning of all pages. */

import { showBrandOf } from "./brand";
import { clear, found } from "./dom";
import { organization } from "./organization";
import { loadTexts, locale, text } from "./words";

/** Prepares the page, which forgets its view when it is left. */
export async function begin(): Promise<void> {
  // Browsers keep pages that were left in the back-forward cache, some of them despite `no-store`, and show
  // them again without asking the server.
  addEventListener("pagehide", clear);
  addEventListener("pageshow", ({ persisted }) => persisted && location.reload());
  await Promise.all([loadTexts(), showBrandOf(organization())]);
  translate();
}

/** Sets the language of the page and the texts outside of views. */
export function translate(): void {
  document.documentElement.lang = locale;
  found("licences").textContent = text("licences");
  found("support").textContent = text("support");
}
