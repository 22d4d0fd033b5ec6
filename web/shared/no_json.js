/** The functions of Protobuf by which Connect serializes messages, without those of the JSON format (`binary.js`). */

export { fromBinary, toBinary } from "@bufbuild/protobuf";

export const fromJsonString = refuse;
export const toJsonString = refuse;

function refuse() {
  throw new Error("the pages use the binary format");
}
