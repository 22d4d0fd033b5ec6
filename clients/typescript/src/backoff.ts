const FIRST_MS = 100;
const MAX_MS = 10_000;

/**
 * Milliseconds to wait after failed attempt number `attempt`, counted from 1.
 *
 * The delay grows exponentially with full jitter. If the server names a time, the call waits for that time and up
 * to half of it more, so that clients do not all return at once after an outage.
 */
export function delayMs(attempt: number, retryAfterMs?: number): number {
  if (retryAfterMs !== undefined) return retryAfterMs * (1 + Math.random() / 2);
  return Math.random() * Math.min(MAX_MS, FIRST_MS * 2 ** attempt);
}

/** Waits, at most until the signal is aborted. */
export function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const end = () => {
      clearTimeout(timer);
      signal.removeEventListener("abort", end);
      resolve();
    };
    const timer = setTimeout(end, ms);
    signal.addEventListener("abort", end);
    if (signal.aborted) end();
  });
}
