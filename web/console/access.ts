/** The rights of the person. The server checks them for each call; here they decide which parts of views exist. */

import { METHODS, ROLES } from "../gen/console/access";
import { Role, type User } from "../gen/console/keystead/user/v1/user_service_pb";
import { selectedOrganization } from "./router";

export type Method = keyof typeof METHODS;

/** The roles that the console offers, by descending rights. */
export const ALL_ROLES = [
  Role.INSTANCE_OWNER,
  Role.ORG_OWNER,
  Role.ORG_USER_MANAGER,
  Role.ORG_HELP_DESK,
  Role.ORG_APPLICATION_MANAGER,
  Role.ORG_AUDITOR,
  Role.SESSION_VERIFIER,
  Role.GATE,
] as const;

let user: User | undefined;
let nameOfHome = "";

/** Call before the first view; `orgName` is that of the person's organization. */
export function signedInAs(found: User, orgName: string): void {
  user = found;
  nameOfHome = orgName;
}

/** The person. */
export function me(): User {
  if (!user) throw new Error("nobody is signed in");
  return user;
}

export function isInstanceOwner(): boolean {
  return me().roles.includes(Role.INSTANCE_OWNER);
}

/** Whether lists can span all organizations: a selected organization narrows them. */
export function mayListAll(): boolean {
  return isInstanceOwner() && !selectedOrganization();
}

/** The organization of the mail that views show; empty: the instance, which has that of all organizations. */
export function mailOrganization(): string {
  return mayListAll() ? "" : organizationId();
}

/** The ID of the organization that views show. */
export function organizationId(): string {
  return selectedOrganization() || homeId();
}

/** The ID of the person's organization. */
export function homeId(): string {
  return me().details?.resourceOwner ?? "";
}

/** The name of the person's organization. */
export function homeName(): string {
  return nameOfHome;
}

/** The person's organization has this name now. */
export function homeNamed(given: string): void {
  nameOfHome = given;
}

/** Whether the person may call this method, in the selected organization. */
export function may(method: Method): boolean {
  if (isInstanceOwner()) return true;
  const [permission, isOfInstance] = METHODS[method];
  const isHome = !isOfInstance && organizationId() === homeId();
  return isHome && permissionsOf(me().roles).has(permission);
}

/** Whether the person has all rights of this user, without which it cannot be changed. */
export function outranks({ roles }: Pick<User, "roles">): boolean {
  if (isInstanceOwner()) return true;
  const own = permissionsOf(me().roles);
  return !roles.includes(Role.INSTANCE_OWNER) && [...permissionsOf(roles)].every((each) => own.has(each));
}

/** Whether the person has a role that gives rights in the console. */
export function hasConsole(): boolean {
  return (
    isInstanceOwner() || permissionsOf(me().roles).has("user.read") || permissionsOf(me().roles).has("application.read")
  );
}

function permissionsOf(roles: readonly Role[]): ReadonlySet<string> {
  return new Set(roles.flatMap((role) => ROLES[`ROLE_${Role[role]}` as keyof typeof ROLES] ?? []));
}
