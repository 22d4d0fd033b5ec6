/** A defence of buttons against presses that were meant for another page, or for a window in front of this one. */

import { setEarly } from "./form";

/** The time for which a question stands still in front of the person before an answer counts. */
const PAUSE_MILLISECONDS = 1000;
const PRESSING_KEYS: readonly string[] = ["Enter", " "];

/**
 * Takes no press of the button, which is about to be shown, for a second. The second begins again with each press of
 * anything within it, and when the page becomes visible or its window comes to the front, until the signal.
 */
export function takesDeliberatePresses(button: HTMLButtonElement, signal: AbortSignal): void {
  let timer = 0;
  let isEarly = true;
  const set = (is: boolean) => setEarly(button, (isEarly = is));
  const pause = () => {
    clearTimeout(timer);
    set(true);
    if (document.visibilityState === "visible" && document.hasFocus())
      timer = setTimeout(set, PAUSE_MILLISECONDS, false);
  };
  const press = () => isEarly && pause();
  const pressKey = ({ key }: KeyboardEvent) => PRESSING_KEYS.includes(key) && press();
  pause();
  for (const name of ["focus", "blur"]) window.addEventListener(name, pause, { signal });
  document.addEventListener("visibilitychange", pause, { signal });
  document.addEventListener("pointerdown", press, { signal, capture: true });
  document.addEventListener("keydown", pressKey, { signal, capture: true });
}
