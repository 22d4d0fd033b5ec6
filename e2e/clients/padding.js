import { toBinary } from "@bufbuild/protobuf";
import { BinaryWriter, WireType } from "@bufbuild/protobuf/wire";

// No message of Keystead has it; a server ignores fields that it does not know.
const UNKNOWN_FIELD = 1000;

/** The message, `size` bytes long when it is serialized. */
export function padded(method, message, size) {
  const withPadding = (length) => ({
    ...message,
    $unknown: [
      {
        no: UNKNOWN_FIELD,
        wireType: WireType.LengthDelimited,
        data: new BinaryWriter().bytes(new Uint8Array(length)).finish(),
      },
    ],
  });
  // The length itself takes some bytes; a second try with what is missing has as many of them.
  const tooLong = toBinary(method.input, withPadding(size)).length - size;
  return withPadding(size - tooLong);
}
