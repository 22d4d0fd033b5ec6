/** A form that asks for a mail address, to which the server mails a link. The responses are the same for every address. */

import { h, say, show } from "../shared/dom";
import { Alerts, button, field, type Field, formOf, submitButton } from "../shared/form";
import { explain, isRefused } from "../shared/refusals";
import { stepIn } from "../shared/steps";
import { text, type TextKey } from "../shared/words";

export interface MailForm {
  readonly title: TextKey;
  readonly introduction: TextKey;
  readonly addressHint: TextKey;
  /** The address, or another text. */
  readonly hint: string;
  /** A further field, below the address. */
  readonly further?: Field;
  /** @throws ConnectError */
  readonly send: (email: string) => Promise<unknown>;
  /** The text after the request, and the steps that follow. */
  readonly sent: TextKey;
  readonly next: readonly TextKey[];
}

/** Shows the form; `previous` shows the previous view. */
export function openMailForm(form: MailForm, previous: () => void): void {
  const leave = stepIn(previous);
  const back = () => leave();
  const address = field(text("mailForm.address"), text(form.addressHint), {
    name: "email",
    type: "email",
    inputmode: "email",
    autocomplete: "email",
    value: form.hint.includes("@") ? form.hint : "",
  });
  const alerts = new Alerts();
  const submit = submitButton(text("mailForm.button"));
  const actions = h("div", { class: "actions" }, submit, button(text("signIn.back"), back));
  const fields = [address.element, ...(form.further ? [form.further.element] : [])];
  const element = formOf(submit, request, ...fields, alerts.element, actions);
  show(text(form.title), h("p", { class: "lead" }, text(form.introduction)), element);

  async function request(): Promise<void> {
    alerts.clear();
    address.refuse("");
    say(text("mailForm.sending"));
    try {
      await form.send(address.input.value.trim());
      tellOfMail(form, back);
    } catch (error) {
      if (isRefused(error, "email")) address.refuse(text("mailForm.noAddress"));
      else alerts.tell(explain(error, { by: "signIn" }));
    }
  }
}

function tellOfMail({ sent, next }: MailForm, back: () => void): void {
  show(
    text("mailForm.sent"),
    h("p", { class: "lead" }, text(sent)),
    h("ul", { class: "next" }, ...next.map((key) => h("li", {}, text(key)))),
    h("div", { class: "actions" }, button(text("signIn.back"), back)),
  );
}
