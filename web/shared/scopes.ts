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

/** A resource of a request, with its scopes. */
interface Resource {
  readonly identifier: string;
  readonly scopes: readonly { readonly name: string; readonly description: string }[];
}

/** What a request asks for: the scopes of its resources in the words of their organizations. */
export function requestInWords(scopes: readonly string[], resources: readonly Resource[]): Child[][] {
  const ofResources = resources.flatMap((resource) => resource.scopes);
  const names = new Set(ofResources.map((scope) => scope.name));
  return [
    ...scopesInWords(scopes.filter((scope) => !names.has(scope))),
    ...ofResources.map(({ name, description }) =>
      description ? [nameOf(description)] : textWith("scope.other", { scope: nameOf(name) }),
    ),
  ];
}

/** Where the access counts, and when it ends. */
export function extentOf(scopes: readonly string[], resources: readonly Resource[]): HTMLElement[] {
  return [
    ...resources.map(({ identifier }) =>
      h("p", { class: "resource" }, ...textWith("access.resource", { resource: nameOf(identifier) })),
    ),
    h("p", { class: "hint" }, text(scopes.includes("offline_access") ? "access.offline" : "access.session")),
  ];
}
