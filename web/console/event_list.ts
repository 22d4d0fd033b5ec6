/** Events of the log in words, with their fields. */

import { timestampDate } from "@bufbuild/protobuf/wkt";
import { html, nothing, type TemplateResult } from "lit";
import "./who";
import type { Event } from "../gen/console/keystead/event/v1/event_service_pb";
import { name, time } from "./parts";
import { to } from "./router";
import { maybe, t } from "./words";

/** The places of the navigation that show the objects of events. */
const PLACES: Readonly<Record<string, string>> = {
  application: "applications",
  group: "groups",
  idp: "idps",
  organization: "organizations",
  smtp_config: "mail",
  subscription: "push",
  user: "users",
};

/** A list of events. Those for which `isNew` is true have just arrived; `isLinked`: with links to their objects. */
export function eventList(
  events: readonly Event[],
  { isLinked = true, isNew = () => false }: { isLinked?: boolean; isNew?: (event: Event) => boolean } = {},
): TemplateResult {
  return html`<ul class="events">${events.map((event) => html`<li class=${isNew(event) ? "new" : ""}>${one(event, isLinked)}</li>`)}</ul>`;
}

function one(event: Event, isLinked: boolean): TemplateResult {
  const named = nameIn(event);
  return html`<div class="line">
      <span><strong>${maybe(`event.${event.eventType}`) ?? event.eventType}</strong>${named ? html` · ${name(named)}` : nothing}</span>
      <small>${time(event.createdAt)}</small>
    </div>
    <div class="second">
      <small>${isLinked ? objectOf(event) : nothing}${t("events.by")} ${by(event)}</small>
      <details><summary>${t("events.fields")}</summary><pre>${fieldsOf(event)}</pre></details>
    </div>`;
}

/** A link to the object, unless it is the person who acted, or was removed. */
function objectOf({ aggregateType, aggregateId, eventType, creator }: Event): TemplateResult | typeof nothing {
  const place = PLACES[aggregateType];
  if (!place || aggregateId === creator || eventType.endsWith(`${aggregateType}.removed`)) return nothing;
  if (aggregateType === "user") return html`<keystead-who .userId=${aggregateId}></keystead-who> · `;
  return html`<a href=${to(place === "mail" ? [place] : [place, aggregateId])}>${maybe(`event.of.${aggregateType}`) ?? aggregateType}</a> · `;
}

function by({ creator }: Event): TemplateResult | string {
  return creator === "operator" ? t("events.operator") : html`<keystead-who .userId=${creator}></keystead-who>`;
}

/** The name that the event itself has. */
function nameIn({ payload }: Event): string {
  const {
    name: own,
    role,
    group_name: group,
    application_name: application,
  } = (payload ?? {}) as Record<string, unknown>;
  const found = [own, group, application, role].find((each) => typeof each === "string" && each !== "");
  return typeof found === "string" ? (maybe(`value.ROLE_${found}`) ?? found) : "";
}

function fieldsOf({ eventType, aggregateId, sequence, createdAt, payload, withheldFields }: Event): string {
  const shown = {
    eventType,
    aggregateId,
    sequence: String(sequence),
    createdAt: createdAt && timestampDate(createdAt),
    payload,
    withheldFields: withheldFields.length > 0 ? withheldFields : undefined,
  };
  return JSON.stringify(shown, undefined, 2);
}

/** The identity of an event. */
export function keyOf({ aggregateId, sequence }: Event): string {
  return `${aggregateId}:${sequence}`;
}
