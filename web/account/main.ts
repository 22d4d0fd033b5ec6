/** The page `/account/`. */

import { begin } from "../shared/page";
import { Home } from "./home";

begin();
void Home.open();
