/** The way back to the application. */

import { h, nameOf, show } from "../shared/dom";
import { button, requestIdOf } from "../shared/form";
import { explained } from "../shared/refusals";
import { forgetRequest } from "../shared/request";
import { text, textWith } from "../shared/words";
import { type Application, applicationOf, shownName } from "./application";

/** The server registers no such URIs; a script or a local file must not open from here in any case. */
const NEVER = ["javascript:", "data:", "vbscript:", "blob:", "filesystem:", "file:", "about:"];

/**
 * Ends the request, and replaces this page by the URI of the application in the history.
 *
 * A private scheme opens an application and leaves this page: browsers may demand a press of a button for it.
 */
export function goToApplication(
  redirectUri: string,
  application: Pick<Application, "clientName" | "clientHost" | "prompts">,
): void {
  const target = targetOf(redirectUri);
  forgetRequest();
  const isPage = target.protocol === "https:" || target.protocol === "http:";
  const name = nameOf(shownName(application));
  if (!isPage) {
    const open = button(text("request.open"), () => location.assign(target), "primary");
    const actions = h("div", { class: "actions" }, open);
    show(text("request.openTitle"), h("p", {}, ...textWith("request.openText", { name })), actions);
  } else if (!application.prompts.includes("none")) {
    show(text("provider.returned"), h("p", { class: "lead" }, ...textWith("request.leaving", { name })));
  }
  location.replace(target);
}

/**
 * Shows the error of an invalid request to a visitor without a session. A link to this page opens no site of an
 * application: the visitor reads its host first, and presses (RFC 9700, section 4.11.2).
 */
export function showInvalid(redirectUri: string, application: Application): void {
  const { error, errorDescription, redirectHost, requestId } = application;
  const refusal = { ...explained("AUTHORIZATION_INVALID", "request"), requestId };
  const reason = h("code", { lang: "en" }, [error, errorDescription].filter(Boolean).join(": "));
  const href = targetOf(redirectUri).href;
  const host = nameOf(redirectHost);
  const words = h("span", {}, ...textWith("request.backTo", { host }));
  const back = h("a", { class: "primary", href, onclick: forgetRequest }, words);
  show(
    refusal.title,
    applicationOf(application),
    h("p", {}, refusal.text),
    h("p", { class: "reason" }, text("request.reason"), reason),
    requestIdOf(refusal),
    h("div", { class: "actions" }, back),
  );
}

function targetOf(redirectUri: string): URL {
  const target = new URL(redirectUri);
  if (NEVER.includes(target.protocol)) throw new Error(`the application is at ${target.protocol}`);
  return target;
}
