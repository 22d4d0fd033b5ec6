import { createGrpcTransport } from "@connectrpc/connect-node";
import { describe, test } from "node:test";
import xhr2 from "xhr2";
import { cases } from "./cases.js";
import { connectClient } from "./clients/connect.js";
import { webClients } from "./clients/web.js";
import { CASE_MILLISECONDS, grpcUrl, webUrl, world } from "./world.js";

// grpc-web expects it of a browser. This one gives an answer only when it has ended.
globalThis.XMLHttpRequest = xhr2.XMLHttpRequest;

const native = connectClient(
  "connect-node, native gRPC",
  createGrpcTransport({ baseUrl: grpcUrl }),
);

for (const client of [native, ...webClients(webUrl, { xhrStreams: false })]) {
  describe(client.name, () => {
    for (const [sentence, run] of Object.entries(cases(client, world))) {
      test(sentence, { timeout: CASE_MILLISECONDS }, run);
    }
  });
}
