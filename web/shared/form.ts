/** Parts of forms: labelled fields, buttons that are busy, alerts. */

import { type Child, h, say, uniqueId } from "./dom";
import type { Refusal } from "./refusals";
import { text as words } from "./words";

export interface Field {
  readonly element: HTMLElement;
  readonly input: HTMLInputElement;
  /** Shows an error of the value and focuses the field; "" removes the error. */
  refuse(text: string): void;
}

/** A text field with a label, a hint, and a place for an error. */
export function field(label: string, hint: string, attributes: Record<string, string>): Field {
  const [id, hintId, errorId] = [uniqueId(), uniqueId(), uniqueId()];
  const error = h("p", { id: errorId, class: "field-error" });
  const input = h("input", {
    id,
    "aria-describedby": `${hintId} ${errorId}`,
    "aria-required": "true",
    autocapitalize: "off",
    spellcheck: "false",
    ...attributes,
  });
  const refuse = (text: string) => {
    error.textContent = text && `⚠ ${text}`;
    input.setAttribute("aria-invalid", String(text !== ""));
    if (!text) return;
    say();
    input.focus();
  };
  const parts = [h("label", { for: id }, label), h("p", { id: hintId, class: "hint" }, hint)];
  return { element: h("div", { class: "field" }, ...parts, input, error), input, refuse };
}

export function submitButton(text: string, look = "primary"): HTMLButtonElement {
  return h("button", { type: "submit", class: look }, text);
}

export function button(text: string, onclick: () => void, look = "quiet"): HTMLButtonElement {
  return h("button", { type: "button", class: look, onclick }, text);
}

/** Sets the accessible name of a button whose text is clear only beside its surroundings. */
export function named(element: HTMLButtonElement, label: string): HTMLButtonElement {
  element.setAttribute("aria-label", label);
  return element;
}

/**
 * Runs `work` for a button, unless its previous work is still running, or the press is early.
 *
 * Meanwhile the button is `aria-disabled`: a disabled button would lose the focus.
 */
export async function busy(pressed: HTMLButtonElement, work: () => Promise<void>): Promise<void> {
  if (pressed.ariaDisabled) return;
  pressed.ariaBusy = "true";
  settle(pressed);
  try {
    await work();
  } finally {
    pressed.ariaBusy = null;
    settle(pressed);
  }
}

/** Sets whether a press of the button would come too early to count. */
export function setEarly(element: HTMLButtonElement, isEarly: boolean): void {
  if (isEarly) element.dataset.early = "";
  else delete element.dataset.early;
  settle(element);
}

function settle(element: HTMLButtonElement): void {
  element.ariaDisabled = element.ariaBusy || element.dataset.early !== undefined ? "true" : null;
}

/** A form whose submit button runs `work`. */
export function formOf(submit: HTMLButtonElement, work: () => Promise<void>, ...children: Child[]): HTMLFormElement {
  const form = h("form", { novalidate: true }, ...children);
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    void busy(submit, work);
  });
  return form;
}

/** The refusal as an alert, which screen readers read immediately. */
export function alertOf(refusal: Refusal): HTMLElement {
  return h(
    "div",
    { class: "alert", role: "alert", tabindex: "-1" },
    h("p", { class: "alert-title" }, h("span", { "aria-hidden": "true" }, "⚠ "), refusal.title),
    h("p", {}, refusal.text),
    requestIdOf(refusal),
  );
}

/** The request ID, by which support finds the call in the logs. */
export function requestIdOf({ requestId }: Refusal): HTMLElement | undefined {
  if (!requestId) return undefined;
  // Lines may break between groups.
  const groups = (requestId.match(/[^-]{1,12}-?/g) ?? []).flatMap((group) => [group, h("wbr")]);
  return h("p", { class: "request-id" }, words("requestId"), h("code", {}, ...groups));
}

/** A place in a view for one alert, until the next attempt. */
export class Alerts {
  readonly element = h("div");

  tell(refusal: Refusal): void {
    const alert = alertOf(refusal);
    say();
    this.element.replaceChildren(alert);
    alert.focus();
  }

  clear(): void {
    this.element.replaceChildren();
  }
}

const MAX_NAME = 200; // as the server counts: code points
// Less strict than the server, which knows another release of Unicode.
const VISIBLE = /[^\p{Cc}\p{Cf}\p{M}\p{Z}\p{Default_Ignorable_Code_Point}\u2800]/u;

/** The error of a passkey name that the server would refuse; "" for a valid name. */
export function wrongName(name: string): string {
  if (!VISIBLE.test(name)) return words("name.missing");
  return [...name].length > MAX_NAME ? words("name.tooLong", { most: String(MAX_NAME) }) : "";
}
