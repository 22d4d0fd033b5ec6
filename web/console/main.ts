/** The page `/console/`: for people who manage the instance or an organization. */

import { isRedirected } from "../shared/address";
import { begin } from "./begin";
import { Console } from "./frame";

if (!isRedirected()) {
  customElements.define("keystead-console", Console);
  void begin().then(() => document.querySelector<Console>("keystead-console")?.open());
}
