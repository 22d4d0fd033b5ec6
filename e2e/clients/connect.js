import { Code, ConnectError, createClient } from "@connectrpc/connect";
import { padded } from "./padding.js";
import { Refusal } from "./refusal.js";

/** The clients of connect, by a transport: grpc-web or native gRPC. */
export function connectClient(name, transport) {
  const bound = (method) =>
    createClient({ ...method.parent, methods: [method] }, transport)[method.localName];
  return {
    name,
    isRpc: true,
    streams: true,

    async call(method, message, { size, ...options }) {
      const request = size ? padded(method, message, size) : message;
      let metadata;
      try {
        const onTrailer = (received) => (metadata = received);
        return { message: await bound(method)(request, { ...options, onTrailer }), metadata };
      } catch (error) {
        throw refusal(error);
      }
    },

    async *watch(method, message, options) {
      try {
        yield* bound(method)(message, options);
      } catch (error) {
        throw refusal(error);
      }
    },
  };
}

function refusal(error) {
  const { code, rawMessage } = ConnectError.from(error, Code.Internal);
  return new Refusal(code, rawMessage, (schema) => error.findDetails(schema));
}
