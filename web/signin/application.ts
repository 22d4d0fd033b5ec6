/** The application that asks for a sign-in, as the views show it. */

import type { DescribeAuthorizationResponse } from "../gen/keystead/oauth/v1/oauth_service_pb";
import type { User } from "../gen/keystead/user/v1/user_service_pb";
import { h, nameOf } from "../shared/dom";
import { imageOf } from "../shared/images";
import { text, textWith } from "../shared/words";

export type Application = DescribeAuthorizationResponse;

/** Name and logo of the application, and the host to which the browser returns. */
export function applicationOf({ clientName, redirectHost, logo }: Application): HTMLElement {
  const host = h("small", {}, ...textWith("request.host", { host: nameOf(redirectHost) }));
  const picture = imageOf(logo, 40);
  return h("div", { class: "application" }, picture, h("p", {}, h("strong", {}, nameOf(clientName)), host));
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
