/** A question that has to be answered before anything else. */

import { h, uniqueId } from "./dom";
import { Alerts, busy, button } from "./form";
import { text } from "./words";

/**
 * Opens a modal dialog: Escape and Cancel leave things as they are, the other button does the work.
 *
 * The work closes the dialog, by showing another view, or tells why it could not be done.
 */
export function ask(
  title: string,
  content: HTMLElement[],
  confirm: HTMLButtonElement,
  work: (alerts: Alerts) => Promise<void>,
): HTMLDialogElement {
  const titleId = uniqueId();
  const alerts = new Alerts();
  const cancel = button(text("cancel"), () => dialog.close());
  const actions = h("div", { class: "actions" }, confirm, cancel);
  const form = h("form", { novalidate: true }, ...content, alerts.element, actions);
  const dialog = h("dialog", { "aria-labelledby": titleId }, h("h2", { id: titleId }, title), form);
  dialog.addEventListener("close", () => dialog.remove());
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    alerts.clear();
    void busy(confirm, () => work(alerts));
  });
  document.body.append(dialog);
  dialog.showModal();
  cancel.focus(); // what is done by mistake is best nothing
  return dialog;
}
