/** The client for pages in a browser, by grpc-web: `connect`, and the errors of calls. */
import type { Transport } from "@connectrpc/connect";
import { createGrpcWebTransport } from "@connectrpc/connect-web";
import { calls, type Options, TIMEOUT_MS, withEndlessStreams } from "./calls.js";
import type { Token } from "./tokens.js";

export { KeysteadError } from "./errors.js";
export type { Options, Token };

export interface ConnectOptions extends Options {
  /** Another `fetch`, such as one that sends the session cookie to another origin. */
  fetch?: typeof globalThis.fetch;
}

/** A channel by grpc-web to the URL of the web port, for `createClient`. Otherwise like `connect` of Node.js. */
export function connect(keysteadUrl: string, token: Token = "", options: ConnectOptions = {}): Transport {
  const transport = createGrpcWebTransport({
    baseUrl: keysteadUrl,
    defaultTimeoutMs: options.timeoutMs ?? TIMEOUT_MS,
    interceptors: [calls(token, options)],
    ...(options.fetch && { fetch: options.fetch }),
  });
  return withEndlessStreams(transport);
}
