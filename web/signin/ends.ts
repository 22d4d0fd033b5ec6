/** Views in which a request of an application ends without a way back to the application. */

import { type Child, h, show } from "../shared/dom";
import { button, requestIdOf } from "../shared/form";
import { explained, explainedRequest, type Refusal } from "../shared/refusals";
import { forgetRequest } from "../shared/request";
import { goToAccount } from "../shared/session";
import { text } from "../shared/words";

const FAILED = "#error=";
const REQUEST_ID = "&request_id=";
const SHOWN_ID = /^[\w.-]{1,128}$/;
const REASON = /^[A-Z][A-Z_]{2,60}$/; // anybody can send a link with another text

/** The reason in the address, with which the server has refused a request of an application, and the request ID. */
export function readFailure(): readonly [reason: string, requestId: string] | undefined {
  if (!location.hash.startsWith(FAILED)) return undefined;
  const [reason = "", requestId = ""] = location.hash.slice(FAILED.length).split(REQUEST_ID);
  return [reason, SHOWN_ID.test(requestId) ? requestId : ""];
}

/** Shows such a reason: to the person in words, to the administrator of the application by its name. */
export function showFailure([reason, requestId]: readonly [string, string]): void {
  const name = REASON.test(reason) && h("p", { class: "reason" }, text("request.reason"), h("code", {}, reason));
  const back = history.length > 1 && button(text("request.goBack"), () => history.back(), "primary");
  showEnd({ ...explainedRequest(reason), requestId }, name, back && h("div", { class: "actions" }, back));
}

/** Shows that this tab has no request any more: it has ended, or has expired. */
export function showLost(): void {
  showEnd(explained("AUTHORIZATION_REQUEST_EXPIRED", "request"));
}

/** Ends the request with a refusal. */
export function showEnd(refusal: Refusal, ...more: Child[]): void {
  forgetRequest();
  const toAccount = button(text("request.toAccount"), () => goToAccount());
  show(refusal.title, h("p", {}, refusal.text), requestIdOf(refusal), ...more, toAccount);
}
