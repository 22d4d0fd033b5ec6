/** The way to the sign-in page and back to the same view. */

import { keepReturn } from "../shared/kept_return";
import { type Farewell, goToSignIn } from "../shared/session";

/** Leaves for the sign-in page, after which the person comes back to this view. */
export function leave(farewell?: Farewell): void {
  keepReturn(farewell === "signed-out" ? "" : location.href);
  document.querySelector("keystead-console")?.remove(); // text that is private
  goToSignIn(farewell);
}
