import { create, fromBinary, toBinary } from "@bufbuild/protobuf";
import { GrpcWebClientBase, MethodDescriptor } from "grpc-web";
import { padded } from "./padding.js";
import { Refusal } from "./refusal.js";

/**
 * Google's grpc-web, over XMLHttpRequest. `format` is `text` or `binary`; `binary` returns the messages
 * of a stream at its end.
 *
 * The runtime takes functions that serialize, so it works with messages of protoc-gen-es. The plugin
 * that generates its stubs is no npm package.
 */
export function grpcWebClient(baseUrl, format, { streams }) {
  const options = { format, withCredentials: true };
  const url = (method) => `${baseUrl}/${method.parent.typeName}/${method.name}`;
  return {
    name: `grpc-web ${format}`,
    isRpc: true,
    streams,

    async call(method, message, { headers, size, signal, timeoutMs }) {
      let metadata;
      const readsHeaders = {
        async intercept(request, invoke) {
          const response = await invoke(request);
          metadata = new Headers(response.getMetadata());
          return response;
        },
      };
      const client = new GrpcWebClientBase({ ...options, unaryInterceptors: [readsHeaders] });
      const request = size ? padded(method, message, size) : create(method.input, message);
      const sent = timeoutMs ? { ...headers, deadline: `${Date.now() + timeoutMs}` } : headers;
      try {
        const call = [url(method), request, sent, descriptor(method, "unary")];
        return { message: await client.unaryCall(...call, { signal }), metadata };
      } catch (error) {
        throw refusal(error);
      }
    },

    watch(method, message, { headers, signal }) {
      const client = new GrpcWebClientBase(options);
      const request = create(method.input, message);
      const call = [url(method), request, headers, descriptor(method, "server_streaming")];
      return new ReadableStream({
        start(answers) {
          const stream = client.serverStreaming(...call);
          stream.on("data", (answer) => answers.enqueue(answer));
          let hasFailed = false; // `end` follows an error, too
          stream.on("error", (error) => {
            hasFailed = true;
            answers.error(refusal(error));
          });
          stream.on("end", () => hasFailed || answers.close());
          signal?.addEventListener("abort", () => stream.cancel());
        },
      });
    },
  };
}

function descriptor(method, type) {
  return new MethodDescriptor(
    `/${method.parent.typeName}/${method.name}`,
    type,
    Object,
    Object,
    (request) => toBinary(method.input, request),
    (answer) => fromBinary(method.output, answer),
  );
}

function refusal(error) {
  const details = error.metadata?.["grpc-status-details-bin"];
  const status = details && Refusal.fromBase64(details);
  return new Refusal(error.code, error.message, status?.find);
}
