/**
 * Every failure in words for the person in front of the screen: what happened, what to do next.
 *
 * Found by the stable reason of the server's answer, by the name of the browser's exception, or,
 * where an answer came from something in between, by its status code.
 */

import { Code, ConnectError } from "@connectrpc/connect";
import { BadRequestSchema, ErrorInfoSchema, RequestInfoSchema } from "../gen/google/rpc/error_details_pb";
import type { Step } from "./registration";
import { type RefusalKey, refusalWords } from "./words";

export interface Refusal {
  readonly title: string;
  readonly text: string;
  /** Nothing that the person does on this page helps any more. */
  readonly isEnd: boolean;
  /** By which the logs of the server name the call; empty: there was no answer. */
  readonly requestId: string;
}

/** What the person came with, and how far the ceremony was, if it was one. */
export interface Circumstances {
  readonly by: "link" | "token" | "session" | "signIn" | "provider";
  readonly step?: Step | "confirming" | undefined;
}

/** After these, nothing on the page helps. */
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
];

/** Where the words of another reason fit better. */
const BETTER: Readonly<Record<string, Readonly<Record<string, RefusalKey>>>> = {
  "link beginning": {
    UNAUTHENTICATED: "LINK_INVALID",
    PERMISSION_DENIED: "LINK_INVALID",
    NOT_FOUND: "LINK_INVALID",
    USER_NOT_FOUND: "LINK_INVALID",
    INVALID_FIELDS: "LINK_INVALID",
    TOO_MANY_ATTEMPTS: "LINK_TRIED_TOO_OFTEN",
  },
  // The ceremony is gone, and its token with it; the person's own token is as good as it was. One that
  // took too long is still known for a day, and refused as CHALLENGE_EXPIRED.
  "link saving": { UNAUTHENTICATED: "CEREMONY_ENDED", PASSKEY_NOT_FOUND: "CEREMONY_ENDED" },
  "token saving": { UNAUTHENTICATED: "CEREMONY_ENDED", PASSKEY_NOT_FOUND: "CEREMONY_ENDED" },
  "session saving": { UNAUTHENTICATED: "CEREMONY_ENDED", PASSKEY_NOT_FOUND: "CEREMONY_ENDED" },
  session: { UNAUTHENTICATED: "SESSION_ENDED" },
  "session confirming": {
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
  provider: {
    UNAUTHENTICATED: "PROVIDER_NOT_BELIEVED",
    SIGN_IN_FAILED: "PROVIDER_NOT_BELIEVED",
    INVALID_FIELDS: "IDP_NOT_CONFIGURED",
  },
};

/** The person has not confirmed who it is; see `step_up.ts`. */
export class NotConfirmedError extends Error {}

/** A provider sent the person back, and this tab has begun no flow with it. */
export class FlowLostError extends Error {}

/** A failed call, or what the browser threw, in words. */
export function explain(error: unknown, circumstances: Circumstances): Refusal {
  const requestId = ConnectError.from(error).findDetails(RequestInfoSchema)[0]?.requestId ?? "";
  return { ...words(keyOf(error), circumstances), requestId };
}

/** What is known before any call, in words. */
export function explained(
  key: "LINK_INVALID" | "NO_WEBAUTHN" | "INSECURE_CONTEXT",
  by: Circumstances["by"] = "link",
): Refusal {
  return { ...words(key, { by }), requestId: "" };
}

/** The stable reason of the server's answer; empty when the answer is not the server's. */
export function reasonOf(error: unknown): string {
  if (!(error instanceof ConnectError)) return "";
  return error.findDetails(ErrorInfoSchema)[0]?.reason ?? "";
}

/** What the server has against a field, by its JSON name. */
export function violationOf(error: unknown, field: string): string | undefined {
  if (!(error instanceof ConnectError)) return undefined;
  const violations = error.findDetails(BadRequestSchema).flatMap((each) => each.fieldViolations);
  return violations.find((each) => each.field === field)?.description;
}

function words(found: string, { by, step }: Circumstances): Omit<Refusal, "requestId"> {
  const better = BETTER[`${by} ${step}`]?.[found] ?? BETTER[by]?.[found] ?? found;
  const known = refusalWords(better);
  const [title, text] = known ?? (refusalWords("UNKNOWN") as NonNullable<typeof known>);
  return { title, text, isEnd: (ENDS as readonly string[]).includes(better) };
}

const OUTAGES = [Code.Unavailable, Code.DeadlineExceeded];

function keyOf(error: unknown): string {
  if (error instanceof DOMException) return error.name;
  if (error instanceof NotConfirmedError) return "NOT_CONFIRMED";
  if (error instanceof FlowLostError) return "FLOW_LOST";
  if (!(error instanceof ConnectError)) return "UNKNOWN";
  const reason = reasonOf(error);
  if (refusalWords(reason)) return reason;
  if (error.cause instanceof TypeError) return navigator.onLine ? "UNREACHABLE" : "OFFLINE";
  // What stands in between may tell of an outage. Of links and tokens it knows nothing.
  if (reason === "REAUTHENTICATION_REQUIRED") return "NOT_CONFIRMED"; // though it was confirmed just now
  const isTold = reason !== "" || OUTAGES.includes(error.code);
  return isTold ? Code[error.code].replace(/(?<=[a-z])(?=[A-Z])/g, "_").toUpperCase() : "UNKNOWN";
}
