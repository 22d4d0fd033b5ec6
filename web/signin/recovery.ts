/** Request for a recovery link by mail. */

import { anonymous } from "../shared/api";
import { keptReturn } from "../shared/kept_return";
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
