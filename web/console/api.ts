/**
 * Calls of the API as the user of this browser's session, in the selected organization.
 *
 * There are three ways to call: `read`, `change` and `preview`. Reads and changes are repeated while the server is
 * not available; a change has an idempotency key, so that it happens once.
 */

import { type CallOptions, Code, ConnectError, createClient } from "@connectrpc/connect";
import { ApplicationService } from "../gen/console/keystead/application/v1/application_service_pb";
import { EventService } from "../gen/console/keystead/event/v1/event_service_pb";
import { GroupService } from "../gen/console/keystead/group/v1/group_service_pb";
import { IdentityProviderService } from "../gen/console/keystead/idp/v1/identity_provider_service_pb";
import { OIDCConfigService } from "../gen/console/keystead/idp/v1/oidc_config_service_pb";
import { MailService } from "../gen/console/keystead/mail/v1/mail_service_pb";
import { OrganizationService } from "../gen/console/keystead/org/v1/organization_service_pb";
import { BrandService } from "../gen/console/keystead/org/v1/brand_service_pb";
import { PasskeyService } from "../gen/console/keystead/passkey/v1/passkey_service_pb";
import { PushService } from "../gen/console/keystead/push/v1/push_service_pb";
import { SessionService } from "../gen/console/keystead/session/v1/session_service_pb";
import { SMTPService } from "../gen/console/keystead/smtp/v1/smtp_service_pb";
import { IDPLinkService } from "../gen/console/keystead/user/v1/idp_link_service_pb";
import { UserService } from "../gen/console/keystead/user/v1/user_service_pb";
import { reasonOf } from "../shared/refusals";
import { byCookie } from "../shared/session";
import { confirmed } from "../shared/step_up";
import { leave } from "./leaving";
import { selectedOrganization } from "./router";

export const applications = createClient(ApplicationService, byCookie);
export const brands = createClient(BrandService, byCookie);
export const events = createClient(EventService, byCookie);
export const groups = createClient(GroupService, byCookie);
export const idps = createClient(IdentityProviderService, byCookie);
export const oidc = createClient(OIDCConfigService, byCookie);
export const mails = createClient(MailService, byCookie);
export const organizations = createClient(OrganizationService, byCookie);
export const passkeys = createClient(PasskeyService, byCookie);
export const pushes = createClient(PushService, byCookie);
export const sessions = createClient(SessionService, byCookie);
export const smtp = createClient(SMTPService, byCookie);
export const links = createClient(IDPLinkService, byCookie);
export const users = createClient(UserService, byCookie);

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
