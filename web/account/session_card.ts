/** The sessions of a user: a card for each device, with its sessions. */

import type { Session } from "../gen/keystead/session/v1/session_service_pb";
import { nameOfAgent } from "../shared/device";
import { h, nameOf, nameText } from "../shared/dom";
import { ago, fact, now } from "../shared/facts";
import { button, busy, named } from "../shared/form";
import { icon } from "../shared/icons";
import { text } from "../shared/words";

const PHONE = /iPhone|Android|Mobile/;

type End = (session: Session, name: string) => Promise<void>;

/** The cards of all devices, the one of this browser first, then by their last use. `end` ends a session. */
export function deviceCards(sessions: readonly Session[], end: End): HTMLElement[] {
  const latestFirst = [...sessions].sort(
    (one, other) => Number(other.current) - Number(one.current) || secondsOf(other) - secondsOf(one),
  );
  const devices = new Map<string, Session[]>();
  for (const session of latestFirst) {
    const name = nameOfDevice(session);
    devices.set(name, [...(devices.get(name) ?? []), session]);
  }
  return [...devices].map(([name, ofDevice]) => deviceCard(name, ofDevice, end));
}

function deviceCard(name: string, sessions: readonly Session[], end: End): HTMLElement {
  const isPhone = sessions.some(({ userAgent }) => PHONE.test(`${name} ${userAgent}`));
  return h(
    "li",
    { class: "card" },
    icon(isPhone ? "phone" : "computer"),
    h(
      "h3",
      {},
      nameOf(name),
      sessions.some(({ current }) => current) && h("span", { class: "badge" }, text("sessions.current")),
    ),
    h("ul", { class: "sessions" }, ...sessions.map((each) => rowOf(each, name, end))),
  );
}

/** The row of this browser's session has no button: the page has one for it. */
function rowOf(session: Session, name: string, end: End): HTMLElement {
  const ending = button(text("sessions.end"), () => void busy(ending, () => end(session, name)));
  return h(
    "li",
    {},
    h(
      "dl",
      {},
      fact(text("sessions.lastSeen"), session.current ? now() : ago(session.lastSeenAt)),
      fact(text("sessions.signedIn"), ago(session.authenticatedAt)),
      session.ipAddress !== "" && fact(text("sessions.address"), session.ipAddress),
    ),
    !session.current && named(ending, text("sessions.endOne", { name: nameText(name) })),
  );
}

function nameOfDevice({ deviceName, userAgent }: Session): string {
  return deviceName || nameOfAgent(userAgent) || text("sessions.unknownDevice");
}

function secondsOf({ lastSeenAt }: Session): number {
  return Number(lastSeenAt?.seconds ?? 0);
}
