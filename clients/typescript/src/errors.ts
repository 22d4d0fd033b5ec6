import { ConnectError } from "@connectrpc/connect";
import {
  BadRequestSchema,
  ErrorInfoSchema,
  RequestInfoSchema,
  ResourceInfoSchema,
  RetryInfoSchema,
} from "./gen/google/rpc/error_details_pb.js";

/** A call that failed, with the details that the server sends (docs/api.md, Errors). It is also a ConnectError. */
export class KeysteadError extends ConnectError {
  /** Stable and for programs; empty if the server did not answer. */
  readonly reason: string;
  /** Details of the reason, such as `sequence` for `ETAG_MISMATCH`. The metadata of gRPC is `metadata`. */
  readonly reasonMetadata: Readonly<Record<string, string>>;
  /** Description of each invalid field by its JSON name. */
  readonly violations: Readonly<Record<string, string>>;
  /** Type and name of an object that was not found. */
  readonly resource: { readonly type: string; readonly name: string } | undefined;
  /** Finds the call in the log of the server. */
  readonly requestId: string;
  /** Milliseconds after which the call can be repeated. */
  readonly retryAfterMs: number | undefined;

  constructor(error: ConnectError) {
    super(error.rawMessage, error.code, error.metadata, undefined, error.cause);
    this.details = error.details;
    const [info] = error.findDetails(ErrorInfoSchema);
    const [badRequest] = error.findDetails(BadRequestSchema);
    const [resource] = error.findDetails(ResourceInfoSchema);
    const [retry] = error.findDetails(RetryInfoSchema);
    const violations = badRequest?.fieldViolations ?? [];
    this.reason = info?.reason ?? "";
    this.reasonMetadata = info?.metadata ?? {};
    this.violations = Object.fromEntries(violations.map(({ field, description }) => [field, description]));
    this.resource = resource && { type: resource.resourceType, name: resource.resourceName };
    this.requestId = error.findDetails(RequestInfoSchema)[0]?.requestId ?? "";
    this.retryAfterMs = retry?.retryDelay && Number(retry.retryDelay.seconds) * 1000 + retry.retryDelay.nanos / 1e6;
  }

  // The check of ConnectError, which it inherits, is true for every ConnectError.
  static override [Symbol.hasInstance](value: unknown): boolean {
    return value instanceof ConnectError && "reasonMetadata" in value;
  }
}
