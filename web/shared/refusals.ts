/**
 * The text of every error: its cause, and the next step for the person.
 *
 * The text is found by the server's stable reason, by the name of the browser's exception, or, for a
 * response of a proxy, by its status code.
 */

import { Code, ConnectError } from "@connectrpc/connect";
import {
  type BadRequest_FieldViolation,
  BadRequestSchema,
  ErrorInfoSchema,
  RequestInfoSchema,
} from "../gen/google/rpc/error_details_pb";
import { StorageBlockedError } from "./storage";
import type { Obstacle } from "./webauthn";
import { maybeText, type RefusalKey, refusalWords, text } from "./words";

export interface Refusal {
  readonly title: string;
  readonly text: string;
  /** No further attempt on this page can succeed. */
  readonly isEnd: boolean;
  /** The request ID, which is in the logs of the server; empty without a response. */
  readonly requestId: string;
}

/** The steps of a registration. */
export type Step = "beginning" | "making" | "saving";

/** The means of authentication, and the step of the ceremony that failed, if any. */
export interface Circumstances {
  readonly by: "link" | "token" | "session" | "signIn" | "provider" | "request";
  readonly step?: Step | "confirming" | undefined;
}

/** After these, no further attempt on the page can succeed. */
const ENDS: readonly RefusalKey[] = [
  "LINK_EXPIRED",
  "LINK_USED",
  "LINK_REPLACED",
  "LINK_TRIED_TOO_OFTEN",
  "RECOVERY_NOT_ALLOWED",
  "LINK_INVALID",
  "UNAUTHENTICATED",
  "SESSION_ENDED",
  "NO_WEBAUTHN",
  "INSECURE_CONTEXT",
  "SIGN_IN_NO_WEBAUTHN",
  "SIGN_IN_INSECURE",
  "AUTHORIZATION_REQUEST_EXPIRED",
  "UNKNOWN_CLIENT",
  "REDIRECT_URI_NOT_REGISTERED",
  "CLIENT_METADATA_INVALID",
  "LOGOUT_REQUEST_INVALID",
  "LOGOUT_NOT_POSSIBLE",
  "SIGN_UP_NOT_ALLOWED",
  "SIGN_UP_EXPIRED",
  "SIGN_UP_USED",
  "SIGN_UP_USER_EXISTS",
];

/**
 * Reasons whose text depends on the circumstances: the means of authentication and the step, the step alone,
 * or the means alone. The first of these that has the reason counts.
 */
const BY_CIRCUMSTANCES: Readonly<Record<string, Readonly<Record<string, RefusalKey>>>> = {
  "link beginning": {
    UNAUTHENTICATED: "LINK_INVALID",
    PERMISSION_DENIED: "LINK_INVALID",
    NOT_FOUND: "LINK_INVALID",
    USER_NOT_FOUND: "LINK_INVALID",
    INVALID_FIELDS: "LINK_INVALID",
    TOO_MANY_ATTEMPTS: "LINK_TRIED_TOO_OFTEN",
  },
  // The ceremony and its token were deleted; the person's own token is still valid. An expired ceremony
  // is kept for a day, and refused as CHALLENGE_EXPIRED.
  saving: { UNAUTHENTICATED: "CEREMONY_ENDED", PASSKEY_NOT_FOUND: "CEREMONY_ENDED" },
  session: { UNAUTHENTICATED: "SESSION_ENDED" },
  confirming: {
    NotAllowedError: "NOT_CONFIRMED",
    AbortError: "NOT_CONFIRMED",
    SIGN_IN_FAILED: "NOT_CONFIRMED",
    CHALLENGE_EXPIRED: "SIGN_IN_EXPIRED",
    CHALLENGE_USED: "SIGN_IN_USED",
    CREDENTIAL_MALFORMED: "SIGN_IN_UNREADABLE",
    ORIGIN_NOT_ALLOWED: "SIGN_IN_NOT_HERE",
    SecurityError: "SIGN_IN_NOT_HERE",
  },
  signIn: {
    NotAllowedError: "SIGN_IN_NOT_MADE",
    AbortError: "SIGN_IN_NOT_MADE",
    UNAUTHENTICATED: "SIGN_IN_FAILED",
    CHALLENGE_EXPIRED: "SIGN_IN_EXPIRED",
    CHALLENGE_USED: "SIGN_IN_USED",
    CREDENTIAL_MALFORMED: "SIGN_IN_UNREADABLE",
    INVALID_FIELDS: "SIGN_IN_UNREADABLE",
    ORIGIN_NOT_ALLOWED: "SIGN_IN_NOT_HERE",
    SecurityError: "SIGN_IN_NOT_HERE",
    NO_WEBAUTHN: "SIGN_IN_NO_WEBAUTHN",
    INSECURE_CONTEXT: "SIGN_IN_INSECURE",
  },
  request: { INVALID_FIELDS: "AUTHORIZATION_REQUEST_EXPIRED" },
  provider: {
    UNAUTHENTICATED: "PROVIDER_NOT_VERIFIED",
    SIGN_IN_FAILED: "PROVIDER_NOT_VERIFIED",
    INVALID_FIELDS: "IDP_NOT_CONFIGURED",
  },
};

/** Reasons of the endpoint to which applications send people. */
const REQUEST_REFUSALS: ReadonlyMap<string, RefusalKey> = new Map([
  ["UNKNOWN_CLIENT", "UNKNOWN_CLIENT"],
  ["REDIRECT_URI_NOT_REGISTERED", "REDIRECT_URI_NOT_REGISTERED"],
  ["CLIENT_METADATA_INVALID", "CLIENT_METADATA_INVALID"],
  ["CLIENT_METADATA_UNREACHABLE", "CLIENT_METADATA_UNREACHABLE"],
  ["LOGOUT_REQUEST_INVALID", "LOGOUT_NOT_POSSIBLE"],
  ["POST_LOGOUT_REDIRECT_URI_NOT_REGISTERED", "POST_LOGOUT_REDIRECT_URI_NOT_REGISTERED"],
  ["INVALID_FIELDS", "AUTHORIZATION_INVALID"],
  ["RATE_LIMITED", "RESOURCE_EXHAUSTED"],
  ["DATABASE_UNAVAILABLE", "UNAVAILABLE"],
  ["SIGNING_KEY_UNAVAILABLE", "UNAVAILABLE"],
]);

/** The person did not reauthenticate; see `step_up.ts`. */
export class NotConfirmedError extends Error {}

/** A provider redirected to the callback, but this tab began no flow with it. */
export class FlowLostError extends Error {}

/** The text for a failed call or an exception of the browser. */
export function explain(error: unknown, circumstances: Circumstances): Refusal {
  const requestId = ConnectError.from(error).findDetails(RequestInfoSchema)[0]?.requestId ?? "";
  return { ...words(keyOf(error), circumstances), requestId };
}

/** The text for an error that is known before any call. */
export function explained(
  key:
    | "LINK_INVALID"
    | "COOKIES_BLOCKED"
    | "AUTHORIZATION_INVALID"
    | "AUTHORIZATION_REQUEST_EXPIRED"
    | "PASSKEY_REQUIRED"
    | Obstacle,
  by: Circumstances["by"] = "link",
): Refusal {
  return { ...words(key, { by }), requestId: "" };
}

/** The text for the reason with which the server refused the request of an application. */
export function explainedRequest(reason: string): Refusal {
  return { ...words(REQUEST_REFUSALS.get(reason) ?? "AUTHORIZATION_FAILED", { by: "request" }), requestId: "" };
}

/** The stable reason of the server; empty if the error is not the server's. */
export function reasonOf(error: unknown): string {
  if (!(error instanceof ConnectError)) return "";
  return error.findDetails(ErrorInfoSchema)[0]?.reason ?? "";
}

/** The sentence about an invalid field, by its JSON name; `otherwise` takes the server's own for a rare cause. */
export function violationOf(
  error: unknown,
  field: string,
  otherwise: "name.refused" | "profile.refused",
): string | undefined {
  const found = fieldViolation(error, field);
  if (!found) return undefined;
  const number = /\d+/.exec(found.description)?.[0] ?? "";
  return maybeText(`violation.${found.reason}`, { number }) ?? text(otherwise, { violation: found.description });
}

/** Whether the server has refused the value of a field, by its JSON name. */
export function isRefused(error: unknown, field: string): boolean {
  return fieldViolation(error, field) !== undefined;
}

function fieldViolation(error: unknown, field: string): BadRequest_FieldViolation | undefined {
  if (!(error instanceof ConnectError)) return undefined;
  const violations = error.findDetails(BadRequestSchema).flatMap((each) => each.fieldViolations);
  return violations.find((each) => each.field === field);
}

function words(found: string, { by, step }: Circumstances): Omit<Refusal, "requestId"> {
  const tables = [`${by} ${step}`, `${step}`, by].map((circumstances) => BY_CIRCUMSTANCES[circumstances]);
  const key = tables.find((table) => table?.[found])?.[found] ?? found;
  const known = refusalWords(key);
  const [title, text] = known ?? (refusalWords("UNKNOWN") as NonNullable<typeof known>);
  return { title, text, isEnd: (ENDS as readonly string[]).includes(key) };
}

const OUTAGES = [Code.Unavailable, Code.DeadlineExceeded];

function keyOf(error: unknown): string {
  if (error instanceof DOMException) return error.name;
  if (error instanceof NotConfirmedError) return "NOT_CONFIRMED";
  if (error instanceof FlowLostError) return "FLOW_LOST";
  if (error instanceof StorageBlockedError) return "STORAGE_BLOCKED";
  if (!(error instanceof ConnectError)) return "UNKNOWN";
  const reason = reasonOf(error);
  if (refusalWords(reason)) return reason;
  if (error.cause instanceof TypeError) return navigator.onLine ? "UNREACHABLE" : "OFFLINE";
  if (reason === "REAUTHENTICATION_REQUIRED") return "NOT_CONFIRMED"; // even after a reauthentication
  // A proxy can report an outage, but its other codes say nothing about links and tokens.
  const isMeaningful = reason !== "" || OUTAGES.includes(error.code);
  return isMeaningful ? Code[error.code].replace(/(?<=[a-z])(?=[A-Z])/g, "_").toUpperCase() : "UNKNOWN";
}
