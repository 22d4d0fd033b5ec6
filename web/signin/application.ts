/** The application that asks for a sign-in, as the views show it. */

import type { DescribeAuthorizationResponse } from "../gen/keystead/oauth/v1/oauth_service_pb";
import type { User } from "../gen/keystead/user/v1/user_service_pb";
import { h, nameOf } from "../shared/dom";
import { imageOf } from "../shared/images";
import { text, textWith, type TextKey } from "../shared/words";

export type Application = DescribeAuthorizationResponse;

/** Hosts of programs on the device of the person. */
const LOOPBACK: readonly string[] = ["localhost", "127.0.0.1", "::1"];

/**
 * Name and logo of the application, and the host to which the browser returns. One that nobody has added here
 * gives its own name, so the host of its metadata document stands first.
 */
export function applicationOf({ clientName, clientHost, redirectHost, logo }: Application): HTMLElement {
  const small = (key: TextKey, host: string) => h("small", {}, ...textWith(key, { host: nameOf(host) }));
  const hosts = clientHost
    ? [small("request.document", clientHost), small("request.returnsTo", redirectHost)]
    : [small("request.host", redirectHost)];
  const picture = imageOf(logo, 40);
  return h("div", { class: "application" }, picture, h("p", {}, h("strong", {}, nameOf(clientName)), ...hosts));
}

/** What the person must know of an application that nobody has added here, before it is allowed anything. */
export function warningOf({ clientHost, redirectHost }: Application): HTMLElement | undefined {
  if (!clientHost) return undefined;
  const key = LOOPBACK.includes(redirectHost) ? "request.unknownProgram" : "request.unknownSite";
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
