/** Roles of users in words. */

import { html, nothing, type TemplateResult } from "lit";
import { Role, type User } from "../gen/console/keystead/user/v1/user_service_pb";
import { badge } from "./parts";
import { maybe, t } from "./view_words";

/** The lock and the roles of a user as tags. */
export function badgesOf({ roles, lockedAt }: User): TemplateResult {
  return html`${lockedAt ? badge(t("user.locked"), "bad") : nothing} ${roles.map((role) => badge(roleName(role)))}`;
}

export function roleName(role: Role): string {
  return maybe(`value.ROLE_${Role[role]}`) ?? Role[role];
}
