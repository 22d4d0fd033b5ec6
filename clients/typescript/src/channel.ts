import type { SecureClientSessionOptions } from "node:http2";
import type { Transport } from "@connectrpc/connect";
import { createGrpcTransport } from "@connectrpc/connect-node";
import { calls, type Options, TIMEOUT_MS, withEndlessStreams } from "./calls.js";
import type { Token } from "./tokens.js";

export interface ConnectOptions extends Options {
  /** Other certificate authorities (`ca`), or a client certificate (`cert`, `key`). */
  tls?: SecureClientSessionOptions;
  /** Sends the token unencrypted, so it is for a trusted network only. */
  plaintext?: boolean;
}

/**
 * A channel by gRPC to `host:port` for `createClient`. A call that fails throws a `KeysteadError`.
 *
 * Reads are repeated while the server is UNAVAILABLE, and so are changes, which get an `x-idempotency-key`.
 */
export function connect(address: string, token: Token = "", options: ConnectOptions = {}): Transport {
  const transport = createGrpcTransport({
    baseUrl: `${options.plaintext ? "http" : "https"}://${address}`,
    defaultTimeoutMs: options.timeoutMs ?? TIMEOUT_MS,
    interceptors: [calls(token, options)],
    ...(options.tls && { nodeOptions: options.tls }),
    // The server answers pings that are at least 10 seconds apart (docs/api.md).
    pingIntervalMs: 30_000,
    pingTimeoutMs: 10_000,
  });
  return withEndlessStreams(transport);
}
