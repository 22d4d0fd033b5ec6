/** The card of a session. */

import type { Session } from "../gen/keystead/session/v1/session_service_pb";
import { nameOfAgent } from "../shared/device";
import { h, nameOf, nameText } from "../shared/dom";
import { fact, moment } from "../shared/facts";
import { button, busy, named } from "../shared/form";
import { icon } from "../shared/icons";
import { text } from "../shared/words";

const PHONE = /iPhone|Android|Mobile/;

/** `end` ends the session. The card of this browser's session has no button: the page has one for it. */
export function cardOf(session: Session, end: (session: Session, name: string) => Promise<void>): HTMLElement {
  const { current, userAgent, ipAddress } = session;
  const name = session.deviceName || nameOfAgent(userAgent) || text("sessions.unknownDevice");
  const ending = button(text("sessions.end"), () => void busy(ending, () => end(session, name)));
  return h(
    "li",
    { class: "card" },
    icon(PHONE.test(`${name} ${userAgent}`) ? "phone" : "computer"),
    h("h3", {}, nameOf(name), current && h("span", { class: "badge" }, text("sessions.current"))),
    h(
      "dl",
      {},
      fact(text("sessions.signedIn"), moment(session.authenticatedDate)),
      fact(text("sessions.lastSeen"), current ? text("sessions.now") : moment(session.lastSeenDate)),
      ipAddress !== "" && fact(text("sessions.address"), ipAddress),
    ),
    !current && h("div", { class: "actions" }, named(ending, text("sessions.endOne", { name: nameText(name) }))),
  );
}
