/** Changes of the session that this page does not make: by another tab of this browser, or elsewhere. */

/** The end of the session of this browser, or a new session. */
export type SessionNews = "signed-out" | "ended" | "signed-in";

const channel = open();

/** Tells the other tabs of this browser. */
export function tellTabs(news: SessionNews): void {
  channel?.postMessage(news);
}

/** Calls `told` when another tab of this browser ends or replaces the session. */
export function onNews(told: (news: SessionNews) => void, signal?: AbortSignal): void {
  channel?.addEventListener("message", ({ data }) => told(data as SessionNews), signal && { signal });
}

/** Calls `look` whenever the person comes back to this page. */
export function onReturn(look: () => void, signal: AbortSignal): void {
  document.addEventListener("visibilitychange", () => document.hidden || look(), { signal });
}

/** Undefined if the browser blocks storage, and channels with it. */
function open(): BroadcastChannel | undefined {
  try {
    return new BroadcastChannel("keystead.session");
  } catch {
    return undefined;
  }
}
