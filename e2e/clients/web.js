import { createGrpcWebTransport } from "@connectrpc/connect-web";
import { connectClient } from "./connect.js";
import { grpcWebClient } from "./grpc_web.js";
import { jsonClient } from "./json.js";

/**
 * Every client for pages; each sends its credentials. `xhrStreams`: XMLHttpRequest shows an answer
 * before its end.
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
