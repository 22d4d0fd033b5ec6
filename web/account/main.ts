/** The page `/account/`. */

import { isRedirected } from "../shared/address";
import { begin } from "../shared/page";
import { keepLink } from "./email_change";
import { Home } from "./home";

if (!isRedirected()) {
  keepLink();
  // A mailed link that is opened in this tab does not load the page again.
  addEventListener("hashchange", () => location.reload());
  void begin().then(() => Home.open());
}
