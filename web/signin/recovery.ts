/** Where a person who has lost every passkey asks for a link by mail. What follows is the same for every address. */

import { anonymous } from "../shared/api";
import { h, say, show } from "../shared/dom";
import { Alerts, busy, button, field, submitButton } from "../shared/form";
import { explain, violationOf } from "../shared/refusals";
import { text } from "../shared/words";

/** Shows the form; `back` shows what was there before. */
export function openRecovery(back: () => void): void {
  const address = field(text("recovery.address"), text("recovery.addressHint"), {
    name: "email",
    type: "email",
    inputmode: "email",
    autocomplete: "email",
  });
  const alerts = new Alerts();
  const submit = submitButton(text("recovery.button"));
  const form = h(
    "form",
    { novalidate: true },
    address.element,
    alerts.element,
    h("div", { class: "actions" }, submit, button(text("recovery.back"), back)),
  );
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    void busy(submit, async () => {
      alerts.clear();
      address.refuse("");
      say(text("recovery.sending"));
      try {
        await anonymous.passkeys.requestPasskeyRecovery({ email: address.input.value.trim() });
        tellOfMail(back);
      } catch (error) {
        if (violationOf(error, "email")) address.refuse(text("recovery.noAddress"));
        else alerts.tell(explain(error, { by: "signIn" }));
      }
    });
  });
  show(text("recovery.title"), h("p", { class: "lead" }, text("recovery.introduction")), form);
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
