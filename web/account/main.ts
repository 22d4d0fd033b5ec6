/** The page `/account/`. */

import { isRedirected } from "../shared/address";
import { begin } from "../shared/page";
import { Home } from "./home";

begin();
if (!isRedirected()) void Home.open();
