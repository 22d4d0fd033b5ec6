/** The page `/signin/`: sign-in, for the account or for an application that asks for it, and its sign-out; sign-up. */

import { isRedirected } from "../shared/address";
import { readAsked, takeHanded } from "../shared/former";
import { begin } from "../shared/page";
import { CONTINUE, storedRequest, takeRequest } from "../shared/request";
import { goOn, takeReturn } from "../shared/session";
import { onNews } from "../shared/tabs";
import { openAuthorization } from "./authorization";
import { readFailure, showFailure, showLost } from "./ends";
import { completeHanded, isKnown, openAtFormer, showRefused } from "./former";
import { openLogout, readLogout } from "./logout";
import { openSignIn } from "./sign_in";
import { openConfirmation, takeSignUp } from "./sign_up";

/** After the sign-in that the old address of a former domain was asked for. */
async function goOnHere(): Promise<void> {
  const request = storedRequest();
  if (request) await openAuthorization(request);
  else await goOn();
}

/** Whether the old address has handed something back, which is then shown. */
function isHanded(): boolean {
  const again = () => location.reload();
  try {
    const handed = takeHanded();
    if (handed?.credential) void completeHanded(handed, handed.credential, goOnHere, again);
    return handed?.credential !== undefined;
  } catch (error) {
    showRefused(error, again);
    return true;
  }
}

async function start(): Promise<void> {
  if (isHanded()) return;
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

const asked = readAsked();
if (asked && isKnown(asked)) {
  void begin().then(() => openAtFormer(asked));
} else if (!isRedirected()) {
  // An address with another fragment does not load the page again.
  addEventListener("hashchange", () => location.reload());
  void begin().then(start);
}
