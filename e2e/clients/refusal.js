import { StatusSchema } from "../gen/google/rpc/status_pb.js";
import { anyUnpack } from "@bufbuild/protobuf/wkt";
import { fromBinary } from "@bufbuild/protobuf";

/** An error in the form of every client: a google.rpc.Status, without details if the server sent none. */
export class Refusal extends Error {
  /**
   * @param {number} code a google.rpc.Code
   * @param {(schema) => object[]} find the details of one type, decoded
   */
  constructor(code, message, find = () => []) {
    super(message);
    this.code = code;
    this.find = find;
  }

  static of(status) {
    return new Refusal(status.code, status.message, (schema) =>
      status.details.map((detail) => anyUnpack(detail, schema)).filter(Boolean),
    );
  }

  static fromBase64(details) {
    return Refusal.of(
      fromBinary(
        StatusSchema,
        Uint8Array.from(atob(details), (c) => c.charCodeAt(0)),
      ),
    );
  }
}
