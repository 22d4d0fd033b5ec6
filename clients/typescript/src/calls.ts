import { Code, ConnectError, type Interceptor, type StreamResponse, type Transport } from "@connectrpc/connect";
import { delayMs, pause } from "./backoff.js";
import { KeysteadError } from "./errors.js";
import { kindOf } from "./methods.js";
import { current, type Token } from "./tokens.js";

/** Options of every channel. */
export interface Options {
  /** Deadline of calls without a timeout of their own, for all their attempts together. 10 seconds by default. */
  timeoutMs?: number;
  /**
   * Changes get keys and are repeated by default. The server keeps at most 10,000 keys of a caller per day:
   * a caller that changes more sets `false`.
   */
  repeatChanges?: boolean;
}

export const TIMEOUT_MS = 10_000; // the server's default
const IDEMPOTENCY_KEY = "x-idempotency-key";
const VALIDATE_ONLY = "x-validate-only";

/** The token, repeated calls, and errors with details. */
export function calls(token: Token, { repeatChanges = true }: Options): Interceptor {
  return (next) => async (request) => {
    const hasToken = request.header.has("authorization");
    const attempt = async () => {
      const bearer = hasToken ? "" : await current(token);
      if (bearer) request.header.set("authorization", `Bearer ${bearer}`);
      return next(request);
    };
    if (request.stream) {
      const response = await attempt().catch(fail);
      return { ...response, message: withErrors((response as StreamResponse).message) } as StreamResponse;
    }
    const kind = kindOf(request.method);
    const validates = request.header.get(VALIDATE_ONLY) === "true"; // changes nothing, and takes no key
    if (kind === "keyed" && repeatChanges && !validates && !request.header.has(IDEMPOTENCY_KEY)) {
      request.header.set(IDEMPOTENCY_KEY, newKey());
    }
    const isRepeatable = kind === "read" || (kind === "keyed" && (validates || request.header.has(IDEMPOTENCY_KEY)));
    for (let number = 1; ; number++) {
      try {
        return await attempt();
      } catch (failed) {
        const error = errorOf(failed);
        if (!isRepeatable || !isTemporary(error) || request.signal.aborted) throw error;
        await pause(delayMs(number, error.retryAfterMs), request.signal);
        if (request.signal.aborted) throw error;
      }
    }
  };
}

/** The transport, whose streams have no deadline of their own. */
export function withEndlessStreams(transport: Transport): Transport {
  return {
    unary: (...call) => transport.unary(...call),
    stream: (method, signal, timeoutMs, ...rest) => transport.stream(method, signal, timeoutMs ?? 0, ...rest),
  };
}

// ABORTED by the server is repeated only with RetryInfo; otherwise the caller must decide (ETAG_MISMATCH). Without a
// reason, connect-node has lost the connection: its codes for that are also CANCELED and ABORTED.
function isTemporary({ code, reason, retryAfterMs }: KeysteadError): boolean {
  if (code === Code.Unavailable || (code === Code.Aborted && retryAfterMs !== undefined)) return true;
  return reason === "" && (code === Code.Aborted || code === Code.Canceled);
}

// randomUUID is missing in pages without TLS.
function newKey(): string {
  return Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, "0")).join("");
}

function errorOf(failed: unknown): KeysteadError {
  return new KeysteadError(ConnectError.from(failed));
}

function fail(failed: unknown): never {
  throw errorOf(failed);
}

async function* withErrors<Message>(messages: AsyncIterable<Message>): AsyncIterable<Message> {
  try {
    yield* messages;
  } catch (failed) {
    fail(failed);
  }
}
