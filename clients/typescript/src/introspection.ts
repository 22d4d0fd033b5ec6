import { createHash } from "node:crypto";
import { create } from "@bufbuild/protobuf";
import { createClient, type Transport } from "@connectrpc/connect";
import { LRUCache } from "lru-cache";
import type { EndedSessions } from "./ended_sessions.js";
import {
  type IntrospectSessionResponse,
  IntrospectSessionResponseSchema,
  SessionService,
} from "./gen/keystead/session/v1/session_service_pb.js";

const CACHED_MS = 5_000;
const MAX_ANSWERS = 10_000;

/**
 * IntrospectSession with a cache. The caller needs ROLE_SESSION_VERIFIER.
 *
 * Call it when the user acts: it counts as a use of the session. Answers are cached for `cachedMs`, and by the server
 * for up to 5 seconds. With `ended`, an ended session is inactive at once.
 */
export class Introspector {
  readonly #sessions;
  readonly #ended;
  // By the hash of the token, so that no token stays in memory.
  readonly #answers;

  constructor(transport: Transport, { cachedMs = CACHED_MS, ended }: { cachedMs?: number; ended?: EndedSessions } = {}) {
    this.#sessions = createClient(SessionService, transport);
    this.#ended = ended;
    this.#answers = new LRUCache<string, IntrospectSessionResponse>({ max: MAX_ANSWERS, ttl: cachedMs });
  }

  /** The session and its user. `active` is false for every other token. Throws `KeysteadError`. */
  async introspect(sessionToken: string): Promise<IntrospectSessionResponse> {
    const hashed = createHash("sha256").update(sessionToken).digest("base64");
    let answer = this.#answers.get(hashed);
    if (answer === undefined) {
      answer = await this.#sessions.introspectSession({ sessionToken });
      this.#answers.set(hashed, answer);
    }
    const hasEnded = this.#ended?.has(answer.session?.sessionId ?? "");
    return hasEnded ? create(IntrospectSessionResponseSchema) : answer;
  }
}
