/** The beginning of all pages. */

import { clear, found } from "./dom";
import { locale, text } from "./words";

/** Sets the language of the page and the texts outside of views; the page forgets its view when it is left. */
export function begin(): void {
  document.documentElement.lang = locale;
  found("site").textContent = location.hostname;
  found("licences").textContent = text("licences");
  // Browsers keep pages that were left in the back-forward cache, some of them despite `no-store`, and show
  // them again without asking the server.
  addEventListener("pagehide", clear);
  addEventListener("pageshow", ({ persisted }) => persisted && location.reload());
}
