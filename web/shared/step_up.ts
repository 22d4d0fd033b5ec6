/** Reauthentication: if a change needs a recent sign-in, the person signs in again, and the change is repeated. */

import { h } from "./dom";
import { ask } from "./dialog";
import { submitButton } from "./form";
import { explain, NotConfirmedError, reasonOf } from "./refusals";
import { sessionService } from "./session";
import { useCredential } from "./webauthn";
import { text } from "./words";

/** Runs a change. @throws ConnectError of the change; NotConfirmedError without a reauthentication */
export async function confirmed<Result>(change: () => Promise<Result>): Promise<Result> {
  try {
    return await change();
  } catch (error) {
    if (reasonOf(error) !== "REAUTHENTICATION_REQUIRED") throw error;
  }
  await confirmation();
  return change();
}

/** Reauthenticates in a dialog: browsers may require a press of a button for WebAuthn. */
function confirmation(): Promise<void> {
  return new Promise((confirmed, refused) => {
    const content = [h("p", {}, text("confirm.text"))];
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
  const { publicKeyCredentialRequestOptions } = await sessionService.startReauthentication({});
  const options = publicKeyCredentialRequestOptions ?? {};
  const credential = await useCredential(options, new AbortController().signal);
  await sessionService.completeReauthentication({ publicKeyCredential: credential });
}
