/** What applications can do with an account, in words. */

import { type Child, h, nameOf } from "./dom";
import { text, textWith, type TextKey } from "./words";

/** The texts of scopes, in the order in which people read them. */
const WORDS: Readonly<Record<string, TextKey>> = {
  openid: "scope.openid",
  profile: "scope.profile",
  email: "scope.email",
  groups: "scope.groups",
  offline_access: "scope.offlineAccess",
};

/** Each scope with its phrase; one without words of its own is named. */
export function phrasesOf(scopes: readonly string[]): [scope: string, phrase: Child[]][] {
  const known = Object.entries(WORDS).filter(([scope]) => scopes.includes(scope));
  const unknown = scopes.filter((scope) => !Object.hasOwn(WORDS, scope));
  return [
    ...known.map(([scope, key]): [string, Child[]] => [scope, [text(key)]]),
    ...unknown.map((scope): [string, Child[]] => [scope, textWith("scope.other", { scope: nameOf(scope) })]),
  ];
}

/** The phrases alone. */
export function scopesInWords(scopes: readonly string[]): Child[][] {
  return phrasesOf(scopes).map(([, phrase]) => phrase);
}

/** Where the access counts, and when it ends. */
export function extentOf(scopes: readonly string[], resource: string): HTMLElement[] {
  const where = resource ? [h("p", {}, ...textWith("access.resource", { resource: nameOf(resource) }))] : [];
  return [
    ...where,
    h("p", { class: "hint" }, text(scopes.includes("offline_access") ? "access.offline" : "access.session")),
  ];
}
