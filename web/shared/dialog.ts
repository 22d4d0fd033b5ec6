/** Modal dialogs that confirm a change. */

import { h, uniqueId } from "./dom";
import { Alerts, button, formOf } from "./form";
import { type Circumstances, explain, reasonOf, type Refusal } from "./refusals";
import { text } from "./words";

/** The continuation of a view after a refused change. */
export interface AfterRefusal {
  readonly by: Circumstances["by"];
  /** The server's reason for an object that no longer exists, and the function that shows the view without it. */
  readonly missing?: readonly [reason: string, reopen: () => Promise<void>];
  /** Called after a refusal after which no attempt on this page can succeed. */
  readonly ended: (refusal: Refusal) => void;
}

/** Opens a dialog whose `work` is a change. It shows a refusal, unless `AfterRefusal` handles it. */
export function askToChange(
  title: string,
  content: HTMLElement[],
  confirm: HTMLButtonElement,
  work: () => Promise<void>,
  { by, missing, ended }: AfterRefusal,
): void {
  ask(title, content, confirm, async (alerts) => {
    try {
      await work();
    } catch (error) {
      const refusal = explain(error, { by });
      if (missing && reasonOf(error) === missing[0]) await missing[1]();
      else if (refusal.isEnd) ended(refusal);
      else alerts.tell(refusal);
    }
  });
}

/**
 * Opens a modal dialog: Escape and Cancel change nothing, the other button runs `work`.
 *
 * `work` closes the dialog by showing another view, or shows an error in the alerts.
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
  const submit = () => {
    alerts.clear();
    return work(alerts);
  };
  const form = formOf(confirm, submit, ...content, alerts.element, actions);
  const dialog = h("dialog", { "aria-labelledby": titleId }, h("h2", { id: titleId }, title), form);
  dialog.addEventListener("close", () => dialog.remove());
  document.body.append(dialog);
  dialog.showModal();
  cancel.focus(); // so that pressing Enter by mistake changes nothing
  return dialog;
}
