/** The home of a person who is signed in. */

import { begin } from "../shared/page";
import { Home } from "./home";

begin();
void Home.open();
