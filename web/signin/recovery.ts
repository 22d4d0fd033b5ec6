/** Request for a recovery link by mail. */

import { anonymous } from "../shared/api";
import { h, show } from "../shared/dom";
import { button } from "../shared/form";
import { keptReturn } from "../shared/kept_return";
import { stepIn } from "../shared/steps";
import { text } from "../shared/words";
import { openMailForm } from "./mail_form";

/** Shows the form; `previous` shows the previous view. `hint` may be the address. */
export function openRecovery(previous: () => void, hint = ""): void {
  openMailForm(
    {
      title: "recovery.title",
      introduction: "recovery.introduction",
      addressHint: "recovery.addressHint",
      hint,
      send: (email) => anonymous.passkeys.requestPasskeyRecovery({ email, returnTo: keptReturn() }),
      sent: "recovery.ifKnown",
      next: ["recovery.open", "recovery.noMail"],
    },
    previous,
  );
}

/** Tells whom to ask where the organization sends no links; `previous` shows the previous view. */
export function showNoRecovery(previous: () => void): void {
  const leave = stepIn(previous);
  show(
    text("recovery.title"),
    h("p", { class: "lead" }, text("recovery.off")),
    h(
      "div",
      { class: "actions" },
      button(text("signIn.back"), () => leave()),
    ),
  );
}
