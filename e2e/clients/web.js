import { createGrpcWebTransport } from "@connectrpc/connect-web";
import { connectClient } from "./connect.js";
import { grpcWebClient } from "./grpc_web.js";
import { jsonClient } from "./json.js";

/**
 * Every client that a page may have, sending its credentials along. `xhrStreams` says whether
 * XMLHttpRequest shows an answer that has not ended.
 */
export function webClients(baseUrl, { xhrStreams = true } = {}) {
  const withCredentials = (input, init) => fetch(input, { ...init, credentials: "include" });
  return [
    connectClient("connect-web", createGrpcWebTransport({ baseUrl, fetch: withCredentials })),
    grpcWebClient(baseUrl, "binary", { streams: false }),
    grpcWebClient(baseUrl, "text", { streams: xhrStreams }),
    jsonClient(baseUrl),
  ];
}
