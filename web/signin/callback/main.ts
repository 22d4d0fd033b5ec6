/** Where an identity provider sends a person back to: the flow is completed here, or it is said why not. */

import { h, say, show } from "../../shared/dom";
import { type Flow, takeFlow } from "../../shared/flow";
import { button, requestIdOf } from "../../shared/form";
import { begin } from "../../shared/page";
import { explain, FlowLostError } from "../../shared/refusals";
import { goToAccount, goToSignIn, linkService, signInService } from "../../shared/session";
import { confirmed } from "../../shared/step_up";
import { text } from "../../shared/words";

/** Redeems what the provider sent. @throws ConnectError, NotConfirmedError */
async function complete({ idpId, flowToken, linkTo }: Flow, callbackQuery: string): Promise<void> {
  if (linkTo === undefined) {
    await signInService.completeIDPSignIn({ idpId, flowToken, callbackQuery });
    goToAccount();
    return;
  }
  await confirmed(() => linkService.linkIDP({ userId: linkTo, idpId, flowToken, callbackQuery }));
  goToAccount("linked");
}

function tell(error: unknown, isLink: boolean): void {
  const refusal = explain(error, { by: "provider" });
  const back = isLink
    ? button(text("provider.toAccount"), () => goToAccount(), "primary")
    : button(text("recovery.back"), () => goToSignIn(), "primary");
  show(refusal.title, h("p", {}, refusal.text), requestIdOf(refusal), h("div", { class: "actions" }, back));
}

async function start(): Promise<void> {
  // The code and the state are for this one use: they stay neither in the address nor in the history.
  const { search, pathname } = location;
  history.replaceState(null, "", pathname);
  begin();
  const flow = takeFlow(pathname.slice(pathname.lastIndexOf("/") + 1));
  show(text("provider.returned"));
  say(text(flow?.linkTo === undefined ? "signIn.completing" : "provider.linking"));
  try {
    if (!flow || search.length < 2) throw new FlowLostError();
    await complete(flow, search);
  } catch (error) {
    tell(error, flow?.linkTo !== undefined);
  }
}

void start();
