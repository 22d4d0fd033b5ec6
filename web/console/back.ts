/** The lists and scroll positions of views that the person has left, for the browser's Back and Forward. */

import { uniqueId } from "../shared/dom";

/** A view as it was left: its scroll position, and the items of its lists. */
interface Left {
  readonly scroll: number;
  readonly lists: readonly (readonly unknown[] | undefined)[];
}

/** Older ones are forgotten. */
const MOST_LEFT = 20;
const left = new Map<string, Left>();

/** The name of the step of the history at which the page is: the same again after Back, another one after a link. */
export function currentStep(): string {
  const state = (history.state ?? {}) as { step?: string };
  if (!state.step) history.replaceState({ ...state, step: uniqueId() }, "");
  return (history.state as { step: string }).step;
}

export function leaveStep(step: string, view: Left): void {
  left.delete(step);
  left.set(step, view);
  if (left.size > MOST_LEFT) left.delete(left.keys().next().value ?? "");
}

/** The view of the step as it was left; undefined at its first time. */
export function leftAt(step: string): Left | undefined {
  return left.get(step);
}
