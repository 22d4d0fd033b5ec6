/** The application that asks for a sign-in, as the views show it. */

import type { DescribeAuthorizationResponse } from "../gen/keystead/oauth/v1/oauth_service_pb";
import type { User } from "../gen/keystead/user/v1/user_service_pb";
import { type Child, h, nameOf } from "../shared/dom";
import { imageOf } from "../shared/images";
import { text, textWith, type TextKey } from "../shared/words";

export type Application = DescribeAuthorizationResponse;

/** Hosts of programs on the device of the person, with any port. */
const LOOPBACK = /^(localhost|127\.0\.0\.1|\[::1\])(:\d+)?$/;

/** The name by which texts call the application. The name of one that nobody has added here is its own choice. */
export function shownName({ clientName, clientHost }: Pick<Application, "clientName" | "clientHost">): string {
  return clientHost || clientName;
}

/**
 * Name and logo of the application, and the host to which the browser returns. One that nobody has added here is
 * called by the host of its metadata document.
 */
export function applicationOf(application: Application): HTMLElement {
  const { clientName, clientHost, redirectHost, logo } = application;
  const small = (key: TextKey, values: Record<string, Child>) => h("small", {}, ...textWith(key, values));
  const host = nameOf(redirectHost);
  const details = clientHost
    ? [small("request.named", { name: nameOf(clientName) }), small("request.returnsTo", { host })]
    : [small("request.host", { host })];
  const picture = imageOf(logo, 40);
  return h(
    "div",
    { class: "application" },
    picture,
    h("p", {}, h("strong", {}, nameOf(shownName(application))), ...details),
  );
}

/** What the person must know of an application that nobody has added here, before it is allowed anything. */
export function warningOf({ clientHost, redirectHost }: Application): HTMLElement | undefined {
  if (!clientHost) return undefined;
  const key = LOOPBACK.test(redirectHost) ? "request.unknownProgram" : "request.unknownSite";
  return h("p", { class: "notice" }, ...textWith(key, { host: nameOf(clientHost) }));
}

/** The user of the session. */
export function accountOf({ displayName, userName }: User): HTMLElement {
  const shown = displayName || userName;
  return h(
    "div",
    { class: "account", role: "group", "aria-label": text("request.account") },
    h("span", { class: "avatar", "aria-hidden": "true" }, [...shown][0]?.toUpperCase()),
    h("p", {}, h("strong", {}, nameOf(shown)), shown !== userName && h("small", {}, nameOf(userName))),
  );
}
