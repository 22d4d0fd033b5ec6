import { toBinary } from "@bufbuild/protobuf";
import { BinaryWriter, WireType } from "@bufbuild/protobuf/wire";

// No message of Keystead has this field; a server ignores unknown fields.
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
  // Tag and length of the field take some bytes, the same number for both sizes.
  const tooLong = toBinary(method.input, withPadding(size)).length - size;
  return withPadding(size - tooLong);
}
