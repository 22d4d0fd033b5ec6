/** What the forms of all views share: a labelled field, a button that is busy, a refusal that is told. */

import { h, say, uniqueId } from "./dom";
import type { Refusal } from "./refusals";
import { text as words } from "./words";

export interface Field {
  readonly element: HTMLElement;
  readonly input: HTMLInputElement;
  /** Says what is wrong with the value and goes there; "" says that nothing is. */
  refuse(text: string): void;
}

/** A text field with its label, a hint, and a place for what is wrong with it. */
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

/** With a name of its own for those who hear it without what surrounds it. */
export function named(element: HTMLButtonElement, label: string): HTMLButtonElement {
  element.setAttribute("aria-label", label);
  return element;
}

/**
 * Runs one thing at a time on behalf of a button.
 *
 * The button keeps its focus meanwhile, which a disabled one would lose, and says that it is busy.
 */
export async function busy(pressed: HTMLButtonElement, work: () => Promise<void>): Promise<void> {
  if (pressed.getAttribute("aria-disabled") === "true") return;
  pressed.setAttribute("aria-disabled", "true");
  try {
    await work();
  } finally {
    pressed.removeAttribute("aria-disabled");
  }
}

/** The refusal as a part of a view. A screen reader reads it at once. */
export function alertOf(refusal: Refusal): HTMLElement {
  return h(
    "div",
    { class: "alert", role: "alert", tabindex: "-1" },
    h("p", { class: "alert-title" }, h("span", { "aria-hidden": "true" }, "⚠ "), refusal.title),
    h("p", {}, refusal.text),
    requestIdOf(refusal),
  );
}

/** For support, which finds the call by it. */
export function requestIdOf({ requestId }: Refusal): HTMLElement | undefined {
  if (!requestId) return undefined;
  // A line ends between its groups, if it must.
  const groups = (requestId.match(/[^-]{1,12}-?/g) ?? []).flatMap((group) => [group, h("wbr")]);
  return h("p", { class: "request-id" }, words("requestId"), h("code", {}, ...groups));
}

/** A place in a form where one refusal is told, until the next try. */
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

/** Why the server would not take this name for a passkey; "": it takes it. */
export function wrongName(name: string): string {
  if (!VISIBLE.test(name)) return words("name.missing");
  return [...name].length > MAX_NAME ? words("name.tooLong", { most: String(MAX_NAME) }) : "";
}
