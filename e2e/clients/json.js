import { createRegistry, fromJson, getOption, toJson } from "@bufbuild/protobuf";
import { http } from "../gen/google/api/annotations_pb.js";
import * as errorDetails from "../gen/google/rpc/error_details_pb.js";
import { StatusSchema } from "../gen/google/rpc/status_pb.js";
import { Refusal } from "./refusal.js";

const REGISTRY = createRegistry(errorDetails.file_google_rpc_error_details);

/** JSON over `fetch`, by the routes that the schema declares. */
export function jsonClient(baseUrl) {
  return {
    name: "JSON",
    isRpc: false,
    streams: false,

    async call(method, message, { headers, size, signal }) {
      const { pattern, body } = getOption(method, http);
      const fields = toJson(method.input, message);
      const path = pattern.value.replace(/\{(\w+)\}/g, (_, name) => {
        const { jsonName } = method.input.fields.find((field) => field.name === name);
        const value = fields[jsonName];
        delete fields[jsonName];
        return encodeURIComponent(value);
      });
      const response = await fetch(baseUrl + path, {
        method: pattern.case.toUpperCase(),
        headers: body ? { ...headers, "content-type": "application/json" } : headers,
        body: body ? padded(JSON.stringify(fields), size) : undefined,
        credentials: "include",
        signal,
      });
      const answer = await response.json();
      if (!response.ok) {
        throw Refusal.of(fromJson(StatusSchema, answer, { registry: REGISTRY }));
      }
      return { message: fromJson(method.output, answer), metadata: response.headers };
    },
  };
}

function padded(text, size = 0) {
  return text + " ".repeat(Math.max(0, size - new TextEncoder().encode(text).length));
}
