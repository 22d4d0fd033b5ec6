/** Dialogs: forms for new objects, and dangerous actions with a preview of their consequences. */

import { html, nothing, render, type TemplateResult } from "lit";
import { ask } from "../shared/dialog";
import { submitButton } from "../shared/form";
import { failed, failureOf, violationsOf } from "./failure";
import { done } from "./notice";
import { t } from "./view_words";

/** An action that ends or removes something. */
export interface Danger {
  readonly title: string;
  /** The label of the button that acts. */
  readonly action: string;
  /** A choice that extends the action, with a hint. The functions get whether it is made. */
  readonly choice?: readonly [label: string, hint: string];
  /** A field that changes the action. It calls `changed` after a change, so that the action is checked again. */
  readonly field?: (changed: () => void) => TemplateResult;
  /** The consequences, one sentence each, from the server. */
  readonly consequences: (isChosen: boolean) => Promise<readonly (string | TemplateResult)[]>;
  /** Makes the checks of the action without effect, if the method can. @throws ConnectError */
  readonly check?: (() => Promise<unknown>) | undefined;
  readonly act: (isChosen: boolean) => Promise<unknown>;
  /** The sentence that is shown afterwards. */
  readonly done: string;
  readonly undo?: () => Promise<void>;
}

/** The alert about a failed action: the causes by its fields, or the reason. */
function refused(error: unknown): TemplateResult {
  const causes = [...violationsOf(error).values()];
  if (causes.length === 0) return failed(error);
  return html`<div class="alert" role="alert"><p class="alert-title"><span aria-hidden="true">⚠ </span>${failureOf(error).title}</p>
    ${causes.map((each) => html`<p>${each}</p>`)}</div>`;
}

/** Shows the consequences of an action, and acts if the person confirms. */
export function askFirst({
  title,
  action,
  choice,
  field,
  consequences,
  check,
  act,
  done: outcome,
  undo,
}: Danger): void {
  const content = document.createElement("div");
  const confirm = submitButton(action, "danger");
  let isChosen = false;
  let turn = 0;
  const choose = (event: Event) => {
    isChosen = (event.target as HTMLInputElement).checked;
    void load();
  };
  const box =
    choice &&
    html`<div class="check"><input type="checkbox" id="choice" @change=${choose} /><label for="choice">${choice[0]}</label></div>
    <p class="hint">${choice[1]}</p>`;
  const entry = field?.(() => void load());
  const show = (template: TemplateResult) => render(html`${box}${entry}${template}`, content);
  const dialog = ask(title, [content], confirm, async () => {
    try {
      await act(isChosen);
      dialog.close();
      done(outcome, undo);
    } catch (error) {
      show(refused(error));
    }
  });
  async function load(): Promise<void> {
    const asked = ++turn;
    confirm.hidden = true; // nobody can confirm consequences before they are known
    show(html`<p class="loading" role="status">${t("loading")}</p>`);
    try {
      const [sentences] = await Promise.all([consequences(isChosen), check?.()]);
      if (asked !== turn) return;
      confirm.hidden = false;
      show(
        sentences.length === 1
          ? html`<p>${sentences[0]}</p>`
          : html`<ul class="consequences">${sentences.map((each) => html`<li>${each}</li>`)}</ul>`,
      );
    } catch (error) {
      if (asked === turn) show(refused(error));
    }
  }
  void load();
}

/** Choices that are all made, of which a person can clear some. */
export interface Clearing {
  readonly title: string;
  readonly choices: readonly string[];
  /** The label of the choices. */
  readonly label: string;
  readonly consequence: string;
  /** Takes back the cleared choices. @throws ConnectError */
  readonly act: (cleared: readonly string[]) => Promise<unknown>;
  /** The sentence that is shown afterwards. */
  readonly done: string;
}

/** Shows choices, and takes back those that the person clears. */
export function askToClear({ title, choices, label, consequence, act, done: outcome }: Clearing): void {
  const content = document.createElement("div");
  const show = (failure: TemplateResult | typeof nothing) =>
    render(
      html`<fieldset><legend>${label}</legend>
      ${choices.map((each, index) => html`<div class="check"><input type="checkbox" id="choice-${index}" value=${each} checked /><label for="choice-${index}">${each}</label></div>`)}
    </fieldset><p class="hint">${consequence}</p>${failure}`,
      content,
    );
  show(nothing);
  const dialog = ask(title, [content], submitButton(t("save")), async () => {
    const cleared = [...content.querySelectorAll<HTMLInputElement>("input:not(:checked)")].map(({ value }) => value);
    try {
      if (cleared.length > 0) await act(cleared);
      dialog.close();
      done(cleared.length > 0 ? outcome : t("nothingChanged"));
    } catch (error) {
      show(refused(error));
    }
  });
}

/** Shows a text that cannot be read again, such as a secret. */
export function showOnce(title: string, body: TemplateResult, closed?: () => void): void {
  const content = document.createElement("div");
  render(html`<p>${t("once")}</p>${body}`, content);
  const dialog = openDialog(title, content);
  dialog.addEventListener("close", () => closed?.());
}

/** Opens a dialog with this content and a button that closes it. */
export function openDialog(
  title: string,
  content: HTMLElement,
  closing: string | typeof nothing = t("close"),
): HTMLDialogElement {
  const dialog = document.createElement("dialog");
  dialog.setAttribute("aria-labelledby", "dialog-title");
  const close = () => dialog.close();
  render(
    html`<h2 id="dialog-title" tabindex="-1">${title}</h2>${content}
      ${closing === nothing ? nothing : html`<div class="actions"><button type="button" @click=${close}>${closing}</button></div>`}`,
    dialog,
  );
  dialog.addEventListener("close", () => dialog.remove());
  document.body.append(dialog);
  dialog.showModal();
  return dialog;
}
