/** Request for a recovery link by mail. The responses are the same for every address. */

import { anonymous } from "../shared/api";
import { h, say, show } from "../shared/dom";
import { Alerts, button, field, formOf, submitButton } from "../shared/form";
import { keptReturn } from "../shared/kept_return";
import { explain, violationOf } from "../shared/refusals";
import { stepIn } from "../shared/steps";
import { text } from "../shared/words";

/** Shows the form; `previous` shows the previous view. `hint` may be the address. */
export function openRecovery(previous: () => void, hint = ""): void {
  const leave = stepIn(previous);
  const back = () => leave();
  const address = field(text("recovery.address"), text("recovery.addressHint"), {
    name: "email",
    type: "email",
    inputmode: "email",
    autocomplete: "email",
    value: hint.includes("@") ? hint : "",
  });
  const alerts = new Alerts();
  const submit = submitButton(text("recovery.button"));
  const actions = h("div", { class: "actions" }, submit, button(text("recovery.back"), back));
  const form = formOf(submit, request, address.element, alerts.element, actions);
  show(text("recovery.title"), h("p", { class: "lead" }, text("recovery.introduction")), form);

  async function request(): Promise<void> {
    alerts.clear();
    address.refuse("");
    say(text("recovery.sending"));
    try {
      await anonymous.passkeys.requestPasskeyRecovery({ email: address.input.value.trim(), returnTo: keptReturn() });
      tellOfMail(back);
    } catch (error) {
      if (violationOf(error, "email")) address.refuse(text("recovery.noAddress"));
      else alerts.tell(explain(error, { by: "signIn" }));
    }
  }
}

function tellOfMail(back: () => void): void {
  const steps = (["recovery.open", "recovery.noMail"] as const).map((key) => h("li", {}, text(key)));
  show(
    text("recovery.sent"),
    h("p", { class: "lead" }, text("recovery.ifKnown")),
    h("ul", { class: "next" }, ...steps),
    h("div", { class: "actions" }, button(text("recovery.back"), back)),
  );
}
