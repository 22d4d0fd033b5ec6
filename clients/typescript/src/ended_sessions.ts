import { createClient, type Transport } from "@connectrpc/connect";
import { delayMs, pause } from "./backoff.js";
import { KeysteadError } from "./errors.js";
import { SessionService, type WatchEndedSessionsResponse } from "./gen/keystead/session/v1/session_service_pb.js";

// The server sends a message after 25 seconds of silence.
const SILENCE_MS = 60_000;
// JWTs are valid for 5 minutes; clocks differ.
const KEPT_MS = 15 * 60_000;
// The stream cannot resume: the database was restored from a backup, or the events were archived.
const LOST_PLACES = ["LOG_RESTORED", "SEQUENCE_UNKNOWN", "EVENTS_ARCHIVED"];

/**
 * The sessions that have ended recently: `ended.has(sessionId)`.
 *
 * It reads WatchEndedSessions until `close`; its caller needs ROLE_SESSION_VERIFIER. After a failure it resumes after
 * the last message. While it cannot, an ended session is accepted until its JWT expires, 5 minutes after its issue.
 * A service that must not accept that refuses all sessions while `behindMs` is more than a minute.
 *
 * `cursor` can be stored and passed as `afterCursor` to resume after a restart. Without it, the watch begins now.
 */
export class EndedSessions {
  cursor: string;
  readonly #sessions;
  readonly #forgetAt = new Map<string, number>();
  readonly #closed = new AbortController();
  #toldAt = Number.NEGATIVE_INFINITY;

  constructor(transport: Transport, { afterCursor = "" }: { afterCursor?: string } = {}) {
    this.#sessions = createClient(SessionService, transport);
    this.cursor = afterCursor;
    void this.#watch(this.#closed.signal);
  }

  has(sessionId: string): boolean {
    return this.#forgetAt.has(sessionId);
  }

  /** The time since the last message; at most 25 seconds while the stream is open. */
  get behindMs(): number {
    return performance.now() - this.#toldAt;
  }

  /** Ends the watch. */
  close(): void {
    this.#closed.abort();
  }

  async #watch(closed: AbortSignal): Promise<void> {
    for (let attempt = 1; !closed.aborted; attempt++) {
      const toldAt = this.#toldAt;
      const error = await this.#read(closed);
      if (closed.aborted) return;
      if (this.#toldAt !== toldAt) attempt = 1;
      console.warn("The watch of ended sessions is interrupted:", error);
      if (error instanceof KeysteadError && LOST_PLACES.includes(error.reason)) this.cursor = "";
      await pause(delayMs(attempt), closed);
    }
  }

  /** Reads the stream to its end, and gives the error that ended it, if any. */
  async #read(closed: AbortSignal): Promise<unknown> {
    const silent = new AbortController();
    const abort = () => silent.abort(new Error("The server is silent."));
    let timer = setTimeout(abort, SILENCE_MS);
    try {
      const request = { afterCursor: this.cursor };
      const signal = AbortSignal.any([closed, silent.signal]);
      for await (const message of this.#sessions.watchEndedSessions(request, { signal })) {
        clearTimeout(timer);
        timer = setTimeout(abort, SILENCE_MS);
        this.#add(message);
      }
      return undefined;
    } catch (error) {
      return error;
    } finally {
      clearTimeout(timer);
    }
  }

  #add({ cursor, endedSessions }: WatchEndedSessionsResponse): void {
    const now = performance.now();
    for (const [sessionId, forgetAt] of this.#forgetAt) {
      if (forgetAt > now) break; // ordered by time
      this.#forgetAt.delete(sessionId);
    }
    for (const { sessionId } of endedSessions) this.#forgetAt.set(sessionId, now + KEPT_MS);
    this.cursor = cursor;
    this.#toldAt = now;
  }
}
