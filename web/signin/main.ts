/** The page `/signin/`: sign-in, for the account or for an application that asks for it, and its sign-out; sign-up. */

import { isRedirected } from "../shared/address";
import { begin } from "../shared/page";
import { CONTINUE, takeRequest } from "../shared/request";
import { goOn, takeReturn } from "../shared/session";
import { onNews } from "../shared/tabs";
import { openAuthorization } from "./authorization";
import { readFailure, showFailure, showLost } from "./ends";
import { openLogout, readLogout } from "./logout";
import { openSignIn } from "./sign_in";
import { openConfirmation, takeSignUp } from "./sign_up";

async function start(): Promise<void> {
  const signUp = takeSignUp();
  const failure = readFailure();
  const request = takeRequest();
  const logout = readLogout();
  if (signUp !== undefined) {
    openConfirmation(signUp);
  } else if (failure !== undefined) {
    showFailure(failure);
  } else if (logout !== undefined) {
    void openLogout(logout);
  } else if (request) {
    void openAuthorization(request);
  } else if (location.hash === CONTINUE) {
    showLost();
  } else {
    await takeReturn();
    onNews((news) => news === "signed-in" && void goOn());
    openSignIn();
  }
}

if (!isRedirected()) {
  // An address with another fragment does not load the page again.
  addEventListener("hashchange", () => location.reload());
  void begin().then(start);
}
