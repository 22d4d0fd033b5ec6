/** Reauthentication: if a change needs a recent sign-in, the person signs in again, and the change is repeated. */

import { ask } from "./dialog";
import { h } from "./dom";
import { goToProvider } from "./flow";
import { goToFormer } from "./former";
import { busy, button, submitButton } from "./form";
import { keepReturn } from "./kept_return";
import { explain, NotConfirmedError, reasonOf } from "./refusals";
import { sessionService } from "./session";
import { canUse, useCredential } from "./webauthn";
import { text } from "./words";

/**
 * Runs a change. With `only`, it needs a passkey; otherwise a person whose session is of an identity provider can sign
 * in there again, which leaves the page.
 *
 * @throws ConnectError of the change; NotConfirmedError without a reauthentication
 */
export async function confirmed<Result>(change: () => Promise<Result>, only?: "passkey"): Promise<Result> {
  try {
    return await change();
  } catch (error) {
    if (reasonOf(error) !== "REAUTHENTICATION_REQUIRED") throw error;
  }
  await confirmation(only ? "" : await providerOfSession());
  return change();
}

/** The identity provider of the session's sign-in; empty after one with a passkey. @throws ConnectError */
export async function providerOfSession(): Promise<string> {
  return (await sessionService.getCurrentSession({})).session?.idpId ?? "";
}

/** Reauthenticates in a dialog: browsers may require a press of a button for WebAuthn. */
function confirmation(idpId: string): Promise<void> {
  return new Promise((confirmed, refused) => {
    const leave = async () => {
      try {
        keepReturn(location.href);
        await goToProvider(idpId, {}, true);
      } catch (error) {
        refused(error);
        dialog.close();
      }
    };
    const provider = button(text("confirm.provider"), () => void busy(provider, leave));
    const byProvider = [h("p", {}, text("confirm.providerText")), h("div", { class: "actions" }, provider)];
    const content = [h("p", {}, text("confirm.text")), ...(idpId ? byProvider : [])];
    const confirm = submitButton(text("confirm.button"));
    const dialog = ask(text("confirm.title"), content, confirm, async (alerts) => {
      try {
        await reauthenticate();
        confirmed();
        dialog.close();
      } catch (error) {
        const refusal = explain(error, { by: "session", step: "confirming" });
        if (refusal.isEnd) {
          refused(error);
          dialog.close();
        } else alerts.tell(refusal);
      }
    });
    confirm.focus();
    dialog.addEventListener("close", () => refused(new NotConfirmedError()));
  });
}

/** Signs the user of the session in again with a passkey. @throws ConnectError, DOMException */
export async function reauthenticate(): Promise<void> {
  const started = await sessionService.startReauthentication({});
  const options = started.publicKeyCredentialRequestOptions ?? {};
  const former = started.formerRelyingParties.find(({ rpId }) => rpId === options["rpId"]);
  if (former && !(await canUse(former.rpId))) {
    // A sign-in at the old address, which comes back here.
    keepReturn(location.href);
    await goToFormer(former);
    return new Promise(() => {});
  }
  const credential = await useCredential(options, new AbortController().signal);
  await sessionService.completeReauthentication({ publicKeyCredential: credential });
}
