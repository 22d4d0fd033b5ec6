/** Events of the log in sentences, with their fields. */

import { timestampDate } from "@bufbuild/protobuf/wkt";
import { html, type TemplateResult } from "lit";
import "./who";
import type { Event } from "../gen/console/keystead/event/v1/event_service_pb";
import { organizationId } from "./access";
import { time } from "./parts";
import { counted, type Key, maybe, t, th } from "./words";

type Value = TemplateResult | string;

/** Kinds of objects that a sentence names. */
const KINDS = ["user", "organization", "application", "idp", "group", "attribute", "subscription"] as const;

/** A list of events. Those for which `isNew` is true have just arrived. */
export function eventList(
  events: readonly Event[],
  { isNew = () => false }: { isNew?: (event: Event) => boolean } = {},
): TemplateResult {
  return html`<ul class="events">${events.map((event) => html`<li class=${isNew(event) ? "new" : ""}>${one(event)}</li>`)}</ul>`;
}

function one(event: Event): TemplateResult {
  return html`<div class="line"><span>${sentence(event)}</span><small>${time(event.createdAt)}</small></div>
    <details><summary>${t("events.fields")}</summary><pre>${fieldsOf(event)}</pre></details>`;
}

/** The sentence of `server/cli/sentences.py`, which names the values, in the language of the page. */
function sentence(event: Event): TemplateResult {
  const key = `event.${event.eventType}`;
  return th((maybe(key) ? key : "events.unknown") as Key, valuesOf(event));
}

function valuesOf(event: Event): Record<string, Value> {
  const { aggregateId, aggregateType, creator, eventType } = event;
  const payload = (event.payload ?? {}) as Readonly<Record<string, unknown>>;
  const text = (name: string) => (typeof payload[name] === "string" ? payload[name] : "");
  const named = (kind: string, objectId: string, other?: string) =>
    html`<keystead-who .kind=${kind} .objectId=${objectId} .other=${other}></keystead-who>`;
  const objects = KINDS.map((kind) => {
    const isOwn = kind === aggregateType;
    return [
      kind,
      named(kind, isOwn ? aggregateId : text(`${kind}_id`), text(isOwn ? "name" : `${kind}_name`) || undefined),
    ];
  });
  const organization = (orgId: string) =>
    orgId === organizationId() ? t("events.ofOrganization") : named("organization", orgId);
  const user = named("user", aggregateId);
  const ended = Array.isArray(payload.ended_session_ids) ? payload.ended_session_ids.length : 0;
  return {
    ...Object.fromEntries(objects),
    account: creator === aggregateId ? t("events.ownAccount") : th("events.accountOf", { user }),
    and_ended: ended > 0 ? counted("events.ended", ended) : "",
    brand_owner: payload.of_instance === true ? t("events.ofInstance") : organization(aggregateId),
    device: named("device", `${aggregateId}/${text("session_id")}`, ""),
    domain: text("domain"),
    event_type: eventType,
    issuer: text("issuer"),
    mail_text_id: text("mail_text_id"),
    smtp_config: t("events.smtpConfig"),
    role: maybe(`value.ROLE_${text("role")}`) ?? text("role"),
    who: creator === "operator" ? t("events.operator") : named("user", creator),
  };
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
