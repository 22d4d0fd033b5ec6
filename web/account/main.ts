/** The page `/account/`. */

import { isRedirected } from "../shared/address";
import { begin } from "../shared/page";
import { Home } from "./home";

if (!isRedirected()) void begin().then(() => Home.open());
