import { type DescMethod, getOption } from "@bufbuild/protobuf";
import { MethodOptions_IdempotencyLevel } from "@bufbuild/protobuf/wkt";
import { http } from "./gen/google/api/annotations_pb.js";
import { access, acts_outside } from "./gen/keystead/options/v1/options_pb.js";

/**
 * `read` changes nothing. `keyed` is a change that takes an `x-idempotency-key`. `once` takes none, such as a
 * sign-in or a stream, or is a method of another service than Keystead's.
 */
export type Kind = "read" | "keyed" | "once";

/** Finds out from its descriptor whether a method is safe to repeat. */
export function kindOf(method: DescMethod): Kind {
  if (!method.parent.typeName.startsWith("keystead.") || method.methodKind !== "unary") return "once";
  const isGet = getOption(method, http).pattern.case === "get";
  if (isGet || method.idempotency === MethodOptions_IdempotencyLevel.NO_SIDE_EFFECTS) return "read";
  return getOption(method, access).open || getOption(method, acts_outside) ? "once" : "keyed";
}
