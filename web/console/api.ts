/**
 * Calls of the API as the user of this browser's session, in the selected organization.
 *
 * There are three ways to call: `read`, `change` and `preview`. Reads and changes are repeated while the server is
 * not available; a change has an idempotency key, so that it happens once.
 */

import type { DescService } from "@bufbuild/protobuf";
import { type CallOptions, type Client, Code, ConnectError, createClient } from "@connectrpc/connect";
import { reasonOf } from "../shared/refusals";
import { byCookie } from "../shared/session";
import { confirmed } from "../shared/step_up";
import { leave } from "./leaving";
import { selectedOrganization } from "./router";

/** The methods of a service. A view brings the descriptors of its own services, so that the first view loads no others. */
export function client<Service extends DescService>(service: Service): Client<Service> {
  return createClient(service, byCookie);
}

/** A call of a method with these options. */
export type Call<Answer> = (options: CallOptions) => Promise<Answer>;

// A server that restarts is back within seconds.
const PAUSES = [400, 1200, 3000];
/** Failures after which the same call can succeed. */
const TEMPORARY: readonly Code[] = [Code.Unavailable, Code.DeadlineExceeded];

/** Reads from the server. @throws ConnectError */
export function read<Answer>(call: Call<Answer>): Promise<Answer> {
  return signedIn(() => repeated(() => call({ headers: scope() })));
}

/**
 * Changes an object. `sequence` is the version of the object that the person has seen: another one is refused as
 * `ETAG_MISMATCH`. The person reauthenticates if the method demands it.
 *
 * @throws ConnectError; NotConfirmedError without a reauthentication
 */
export function change<Answer>(call: Call<Answer>, sequence?: bigint): Promise<Answer> {
  const headers = scope();
  if (sequence !== undefined) headers.set("if-match", `"${sequence}"`);
  // A key belongs to one request: the call after a reauthentication has another session.
  const once = () => {
    headers.set("x-idempotency-key", crypto.randomUUID());
    return repeated(() => call({ headers }));
  };
  return signedIn(() => confirmed(once));
}

/** Makes all checks of a change, and changes nothing. The answer tells consequences. @throws ConnectError; NotConfirmedError */
export function preview<Answer>(call: Call<Answer>): Promise<Answer> {
  const headers = scope();
  headers.set("x-validate-only", "true");
  return signedIn(() => confirmed(() => call({ headers })));
}

/** Calls a method with an effect outside of the server, which takes no further headers. @throws ConnectError */
export function act<Answer>(call: Call<Answer>): Promise<Answer> {
  return signedIn(() => confirmed(() => call({ headers: scope(), timeoutMs: 60_000 })));
}

/** Watches a stream, which has no time limit. @throws ConnectError */
export function watching<Answer>(
  call: (options: CallOptions) => AsyncIterable<Answer>,
  signal: AbortSignal,
): AsyncIterable<Answer> {
  return call({ headers: scope(), signal, timeoutMs: 0 });
}

/** Whether the server could not be reached, or not answer now. */
export function isTemporary(error: unknown): boolean {
  const found = ConnectError.from(error);
  return TEMPORARY.includes(found.code) || found.cause instanceof TypeError;
}

/** Whether somebody else has changed the object. */
export function isConflict(error: unknown): boolean {
  return reasonOf(error) === "ETAG_MISMATCH";
}

/** The options of a call on an organization; empty: on the instance. */
export function within(orgId: string, options: CallOptions): CallOptions {
  const headers = new Headers(options.headers);
  if (orgId) headers.set("x-service-orgid", orgId);
  else headers.delete("x-service-orgid");
  return { ...options, headers };
}

/** The organization that a call works on. */
function scope(): Headers {
  const orgId = selectedOrganization();
  return new Headers(orgId ? { "x-service-orgid": orgId } : {});
}

async function repeated<Answer>(call: () => Promise<Answer>): Promise<Answer> {
  for (const pause of PAUSES) {
    try {
      return await call();
    } catch (error) {
      if (!isTemporary(error)) throw error;
      await new Promise((resolve) => setTimeout(resolve, pause * (0.75 + Math.random() / 2)));
    }
  }
  return call();
}

/** Without a session the page is left, and the call never ends. */
async function signedIn<Answer>(call: () => Promise<Answer>): Promise<Answer> {
  try {
    return await call();
  } catch (error) {
    const isEnd =
      ConnectError.from(error).code === Code.Unauthenticated && reasonOf(error) !== "REAUTHENTICATION_REQUIRED";
    if (!isEnd) throw error;
    leave("ended");
    return new Promise(() => {});
  }
}
