/** The beginning of all pages. */

import { found } from "./dom";
import { locale, text } from "./words";

/** Sets the language of the page and the texts outside of views. */
export function begin(): void {
  document.documentElement.lang = locale;
  found("site").textContent = location.hostname;
  found("licences").textContent = text("licences");
}
