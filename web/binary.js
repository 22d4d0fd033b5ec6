/** The pages call the server in the binary format; Connect would bring the code of the JSON format along. */

import { join } from "node:path";

const USER = "/@connectrpc/connect/dist/esm/protocol/serialization.js";

/** A plugin of Vite: the serialization of Connect gets `shared/no_json.js` in place of the whole of Protobuf. */
export function binary() {
  return {
    name: "binary",
    enforce: "pre",
    resolveId: (source, importer) =>
      source === "@bufbuild/protobuf" && importer?.endsWith(USER)
        ? join(import.meta.dirname, "shared/no_json.js")
        : undefined,
  };
}
