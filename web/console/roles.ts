/** Roles of users in words. */

import { html, nothing, type TemplateResult } from "lit";
import { Role, type RoleGrant, type User } from "../gen/console/keystead/user/v1/user_service_pb";
import { badge, time, titled } from "./parts";
import { maybe, t } from "./view_words";
import "./who";

/** The lock and the roles of a user as tags. */
export function badgesOf({ roles, lockedAt }: User): TemplateResult {
  return html`${lockedAt ? badge(t("user.locked"), "bad") : nothing} ${roles.map((role) => badge(roleName(role)))}`;
}

export function roleName(role: Role): string {
  return maybe(`value.ROLE_${Role[role]}`) ?? Role[role];
}

/** When a role was granted, and by whom. Roles of earlier releases have neither. */
export function grantedBy(grant: RoleGrant | undefined): TemplateResult | typeof nothing {
  if (!grant?.grantedAt) return nothing;
  const { grantedBy: by } = grant;
  return titled(
    time(grant.grantedAt),
    by === "operator" ? t("events.operator") : html`<keystead-who .objectId=${by}></keystead-who>`,
  );
}

/** When a role ends. */
export function endOf(grant: RoleGrant | undefined): TemplateResult | string {
  return grant ? html`${grant.expiresAt ? time(grant.expiresAt) : t("never")}` : "";
}
