/** The outcome of an action: one line, which screen readers read politely, with a button that undoes the action. */

import { html, nothing, type TemplateResult } from "lit";
import { failureOf } from "./failure";
import { t } from "./words";

interface Notice {
  readonly text: string;
  readonly undo?: (() => Promise<void>) | undefined;
  readonly isFailure?: boolean;
}

let shown: Notice | undefined;
let shownAt = 0;
let changed: () => void = () => {};

/** The frame renders itself again for each notice. */
export function onNotice(render: () => void): void {
  changed = render;
}

/** Tells that something was done. `undo` reverts it. */
export function done(text: string, undo?: () => Promise<void>): void {
  [shown, shownAt] = [{ text, undo }, performance.now()];
  changed();
}

/** Tells that something failed, for actions without a place of their own for an alert. */
export function notDone(error: unknown): void {
  const { title, text } = failureOf(error);
  shown = { text: text ? `${title} ${text}` : title, isFailure: true };
  changed();
}

const JUST_MILLISECONDS = 1000;

/** Call when another view opens. A notice that has just appeared is about the action that opened it. */
export function leaveNotice(): void {
  if (performance.now() - shownAt > JUST_MILLISECONDS) forgetNotice();
}

function forgetNotice(): void {
  shown = undefined;
  changed();
}

export function notice(): TemplateResult {
  const current = shown;
  const look = !current ? "" : current.isFailure ? "failed" : "done";
  return html`<div id="notice" role="status" class=${look}>
    ${current ? html`<span>${current.text}</span>` : nothing}
    ${current?.undo ? html`<button type="button" @click=${() => void undone(current)}>${t("undo")}</button>` : nothing}
    ${current ? html`<button type="button" class="icon-button" aria-label=${t("dismiss")} @click=${forgetNotice}>✕</button>` : nothing}
  </div>`;
}

async function undone({ undo }: Notice): Promise<void> {
  try {
    await undo?.();
    done(t("undone"));
  } catch (error) {
    notDone(error);
  }
}
