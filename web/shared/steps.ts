/** Views that replace another view for a while: the browser's Back leads to that view, as their buttons do. */

/**
 * Call when such a view is shown; `back` shows the previous one. Without this, Back would leave the page.
 *
 * @returns leaves the view: runs `back`, or another function in its place
 */
export function stepIn(back: () => void, signal?: AbortSignal): (instead?: () => void) => void {
  let next = back;
  let isIn = true;
  const stepOut = () => {
    isIn = false;
    next();
  };
  history.pushState(null, "");
  addEventListener("popstate", stepOut, { once: true, ...(signal && { signal }) });
  return (instead = back) => {
    next = instead;
    if (isIn) history.back();
    else instead();
  };
}
