/** What all pages begin with. */

import { found } from "./dom";
import { locale, text } from "./words";

/** Says in the language of the person where the page is. */
export function begin(): void {
  document.documentElement.lang = locale;
  found("site").textContent = location.hostname;
  found("licences").textContent = text("licences");
}
