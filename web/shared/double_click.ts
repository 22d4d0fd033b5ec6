/** A defence of buttons against double clicks that begin in a window of another site. */

/** The longest time between the two clicks, in milliseconds. */
const DOUBLE_CLICK = 500;

/**
 * Takes no press of the button for half a second after its window comes to the front, until the signal. A window in
 * front of it may have closed between the two clicks.
 */
export function takesNoDoubleClick(button: HTMLButtonElement, signal: AbortSignal): void {
  const pause = () => {
    if (button.ariaDisabled) return;
    button.ariaDisabled = "true";
    setTimeout(() => (button.ariaDisabled = null), DOUBLE_CLICK);
  };
  window.addEventListener("focus", pause, { signal });
}
