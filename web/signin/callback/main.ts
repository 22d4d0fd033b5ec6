/** The page `/signin/callback/{idp_id}`, to which identity providers redirect: completes the flow or shows an error. */

import { h, say, show } from "../../shared/dom";
import { type Flow, takeFlow } from "../../shared/flow";
import { button, requestIdOf } from "../../shared/form";
import { begin } from "../../shared/page";
import { explain, FlowLostError } from "../../shared/refusals";
import { storedRequest } from "../../shared/request";
import { goOn, goToAccount, goToRequest, goToSignIn, linkService, signInService } from "../../shared/session";
import { confirmed } from "../../shared/step_up";
import { tellTabs } from "../../shared/tabs";
import { text } from "../../shared/words";

/** Signs in or links by the query of the provider. @throws ConnectError, NotConfirmedError */
async function complete({ idpId, flowToken, linkTo }: Flow, callbackQuery: string): Promise<void> {
  if (linkTo === undefined) {
    await signInService.completeIDPSignIn({ idpId, flowToken, callbackQuery });
    tellTabs("signed-in");
    if (storedRequest()) goToRequest();
    else await goOn();
    return;
  }
  await confirmed(() => linkService.linkIDP({ userId: linkTo, idpId, flowToken, callbackQuery }), "passkey");
  goToAccount("linked");
}

function tell(error: unknown, flow: Flow | undefined): void {
  const refusal = explain(error, { by: "provider" });
  const back = isLink(flow)
    ? button(text("provider.toAccount"), () => goToAccount(), "primary")
    : button(
        text("signIn.back"),
        () => (storedRequest() ? goToRequest() : goToSignIn(undefined, flow?.orgId)),
        "primary",
      );
  show(refusal.title, h("p", {}, refusal.text), requestIdOf(refusal), h("div", { class: "actions" }, back));
}

async function start(): Promise<void> {
  // Removes the code and the state from the address and the history.
  const { search, pathname } = location;
  history.replaceState(null, "", pathname);
  await begin();
  show(text("provider.returned"));
  let flow: Flow | undefined;
  try {
    flow = takeFlow(pathname.slice(pathname.lastIndexOf("/") + 1));
    if (!flow || search.length < 2) throw new FlowLostError();
    say(text(isLink(flow) ? "provider.linking" : "signIn.completing"));
    await complete(flow, search);
  } catch (error) {
    tell(error, flow);
  }
}

const isLink = (flow: Flow | undefined) => flow?.linkTo !== undefined;

void start();
