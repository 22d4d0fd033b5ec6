/**
 * Every failure in words for the person in front of the screen: what happened, what to do next.
 *
 * Found by the stable reason of the server's answer, by the name of the browser's exception, or,
 * where an answer came from something in between, by its status code.
 */

import { Code, ConnectError } from "@connectrpc/connect";
import { BadRequestSchema, ErrorInfoSchema, RequestInfoSchema } from "../gen/google/rpc/error_details_pb";
import type { Step } from "./registration";

export interface Refusal {
  readonly title: string;
  readonly text: string;
  /** Nothing that the person does on this page helps any more. */
  readonly isEnd: boolean;
  /** By which the logs of the server name the call; empty: there was no answer. */
  readonly requestId: string;
}

/** What the person came with, and how far the registration was, if it was one. */
export interface Circumstances {
  readonly by: "link" | "token";
  readonly step?: Step | undefined;
}

type Words = readonly [title: string, text: string, isEnd?: "end"];

const NEW_LINK = "Ask whoever sent it to you for a new one.";

const WORDS: Readonly<Record<string, Words>> = {
  LINK_EXPIRED: ["This link has expired", `Links work for a limited time. ${NEW_LINK}`, "end"],
  LINK_USED: [
    "This link has been used",
    "A passkey was added with it, and each link adds one. If that was not you, tell your administrator at once. "
      + "To add another passkey, ask for a new link.",
    "end",
  ],
  LINK_REPLACED: [
    "There is a newer link",
    "Another link was sent to you after this one, and only the newest works. Open that one.",
    "end",
  ],
  LINK_TRIED_TOO_OFTEN: ["This link was tried too often", `It no longer works. ${NEW_LINK}`, "end"],
  LINK_INVALID: [
    "This link does not work",
    `Part of it may be missing: open it directly from the mail, or copy all of it. If it still does not work: ${NEW_LINK}`,
    "end",
  ],

  TOO_MANY_ATTEMPTS: [
    "This did not work too many times",
    "The registration was ended to protect your account. Try again from the start.",
  ],
  TOO_MANY_PASSKEYS: [
    "You have as many passkeys as you may have",
    "Remove one that you no longer use, or ask your administrator to, then try again.",
  ],
  TOO_MANY_CEREMONIES: [
    "Too many attempts are still open",
    "Wait ten minutes, until they have expired, then try again.",
  ],
  CEREMONY_ENDED: [
    "This registration was ended",
    "It was cancelled, or your account was changed or removed, while your device made the passkey. Nothing was saved. "
      + "Try again; if that does not work, ask your administrator.",
  ],
  CHALLENGE_EXPIRED: ["That took too long", "Nothing was saved. Try again, and finish within ten minutes."],
  CHALLENGE_USED: [
    "This attempt was already completed",
    "A passkey was saved by it. If that was not you, tell your administrator at once.",
  ],
  PASSKEY_NOT_FOUND: ["This passkey is no longer here", "It was removed in the meantime. Load the list again."],

  CREDENTIAL_ALREADY_REGISTERED: [
    "This passkey is registered already",
    "Use another device, security key or password manager to make a new one.",
  ],
  CREDENTIAL_MALFORMED: [
    "Your device gave an answer that cannot be read",
    "Nothing was saved. Try again; if it happens again, update the browser or use another device.",
  ],
  CREDENTIAL_NOT_VERIFIED: [
    "Your device's answer could not be verified",
    "Nothing was saved. Try again; if it happens again, update the browser or use another device.",
  ],
  ORIGIN_NOT_ALLOWED: [
    "Passkeys cannot be added at this address",
    "Check that the address in the browser is the one you were given. If it is, this server is not set up for it: tell your administrator.",
  ],
  USER_NOT_VERIFIED: [
    "Your device did not check that it is you",
    "Set up a PIN, a fingerprint or face recognition on it, or use another device, then try again.",
  ],
  ALGORITHM_NOT_ALLOWED: [
    "This kind of passkey cannot be used here",
    "Your device made a key of a kind that is not accepted. Use another device or security key.",
  ],
  ATTESTATION_NOT_ALLOWED: [
    "This device cannot be used here",
    "It identified itself in a way that is not accepted. Use another device or security key.",
  ],
  INVALID_FIELDS: ["Something in the form is not accepted", "Change the name, then try again."],

  UNAUTHENTICATED: [
    "This token is not valid",
    "It has expired, was revoked, or is not complete. Sign in with another one.",
    "end",
  ],
  PERMISSION_DENIED: ["You may not do this", "Your account lacks the permission. Ask your administrator."],
  USER_NOT_FOUND: ["This account was not found", "It may have been removed. Ask your administrator."],
  NOT_FOUND: ["This account was not found", "It may have been removed. Ask your administrator."],
  RESOURCE_EXHAUSTED: ["There were too many requests", "Wait a minute, then try again."],
  UNAVAILABLE: ["The service is not available right now", "This is usually over within a minute. Try again."],
  DEADLINE_EXCEEDED: ["The service took too long to answer", "Try again in a moment."],
  ABORTED: ["Somebody changed the same thing at the same moment", "Try again."],
  UNREACHABLE: ["The service cannot be reached", "Check your connection, then try again."],
  OFFLINE: ["You are offline", "Connect to the internet, then try again."],
  UNKNOWN: ["Something went wrong", "Try again. If it happens again, tell your administrator."],

  NotAllowedError: [
    "No passkey was made",
    "It was cancelled, took too long, or your device does not allow it. Try again when you are ready.",
  ],
  InvalidStateError: [
    "This device has a passkey of yours already",
    "You can sign in with the one that is there. To add another, use a different device, security key or password manager.",
  ],
  SecurityError: [
    "Passkeys cannot be made at this address",
    "The address in the browser is not the one that your passkeys are for. Open this page at the address you were given.",
  ],
  NotSupportedError: [
    "This device cannot make the passkey that is needed",
    "Use another device, security key or password manager.",
  ],
  ConstraintError: [
    "This device cannot check that it is you",
    "Set up a screen lock, a PIN or a fingerprint on it, or use another device, then try again.",
  ],
  AbortError: ["The passkey was not finished", "Something else interrupted it. Try again."],
  NO_WEBAUTHN: [
    "This browser cannot make passkeys",
    "Use an up-to-date Chrome, Edge, Firefox or Safari. Browsers inside of other apps often cannot.",
    "end",
  ],
  INSECURE_CONTEXT: [
    "This connection is not secure",
    "Browsers make passkeys on secure addresses only, those that begin with https://. Open this page at such an address.",
    "end",
  ],
};

/** Where the words of another reason fit better. */
const BETTER: Readonly<Record<string, Readonly<Record<string, string>>>> = {
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
};

/** A failed call, or what the browser threw, in words. */
export function explain(error: unknown, circumstances: Circumstances): Refusal {
  const requestId = ConnectError.from(error).findDetails(RequestInfoSchema)[0]?.requestId ?? "";
  return { ...words(keyOf(error), circumstances), requestId };
}

/** What is known before any call, in words. */
export function explained(key: "LINK_INVALID" | "NO_WEBAUTHN" | "INSECURE_CONTEXT"): Refusal {
  return { ...words(key, { by: "link" }), requestId: "" };
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
  const key = BETTER[`${by} ${step}`]?.[found] ?? found;
  const [title, text, end] = WORDS[key] ?? (WORDS["UNKNOWN"] as Words);
  return { title, text, isEnd: end === "end" };
}

const OUTAGES = [Code.Unavailable, Code.DeadlineExceeded];

function keyOf(error: unknown): string {
  if (error instanceof DOMException) return error.name;
  if (!(error instanceof ConnectError)) return "UNKNOWN";
  const reason = reasonOf(error);
  if (reason in WORDS) return reason;
  if (error.cause instanceof TypeError) return navigator.onLine ? "UNREACHABLE" : "OFFLINE";
  // What stands in between may tell of an outage. Of links and tokens it knows nothing.
  const isTold = reason !== "" || OUTAGES.includes(error.code);
  return isTold ? Code[error.code].replace(/(?<=[a-z])(?=[A-Z])/g, "_").toUpperCase() : "UNKNOWN";
}
