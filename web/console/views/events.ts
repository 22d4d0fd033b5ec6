/** The event log: conditions, and new events as they are written. */

import { timestampFromDate } from "@bufbuild/protobuf/wkt";
import { html, nothing, type TemplateResult } from "lit";
import { mayListAll } from "../access";
import { eventList } from "../event_list";
import { LiveEvents } from "../live_events";
import { empty, head } from "../parts";
import { filterBy } from "../router";
import { View } from "../view";
import { maybe, t } from "../view_words";

const TYPES = ["application", "group", "idp", "organization", "smtp_config", "user"];

export function views(): string {
  return "keystead-events";
}

class Events extends View {
  readonly #live = new LiveEvents(this);

  override connectedCallback(): void {
    this.#apply();
    super.connectedCallback();
  }

  #apply(): void {
    const { query } = this.route;
    const since = new Date(query.get("since") ?? "");
    this.#live.conditions = {
      aggregateType: query.get("type") ?? "",
      aggregateId: query.get("object") ?? "",
      creator: query.get("by") ?? "",
      allOrganizations: query.has("all") && mayListAll(),
      ...(!Number.isNaN(since.getTime()) && { since: timestampFromDate(since) }),
    };
  }

  readonly #filter = (event: Event) => {
    filterBy(event, this.route);
    this.#apply();
    void this.#live.list.reload();
  };

  protected override render(): TemplateResult {
    const { query } = this.route;
    const { list, arrived, isNew, isLive } = this.#live;
    return html`${head(t("events"), { lead: t("events.lead"), actions: html`<span class="live ${isLive ? "on" : ""}" role="status">${t(isLive ? "events.live" : "events.connecting")}</span>` })}
      <search class="filters">
        <div class="field"><label for="events-type">${t("events.type")}</label><select id="events-type" name="type" @change=${this.#filter}>
          <option value="">${t("events.all")}</option>
          ${TYPES.map((each) => html`<option value=${each} ?selected=${each === query.get("type")}>${maybe(`event.of.${each}`)}</option>`)}
        </select></div>
        <div class="field"><label for="events-object">${t("events.object")}</label><input id="events-object" name="object" autocomplete="off" spellcheck="false" .value=${query.get("object") ?? ""} @change=${this.#filter} /></div>
        <div class="field"><label for="events-by">${t("events.creator")}</label><input id="events-by" name="by" autocomplete="off" spellcheck="false" .value=${query.get("by") ?? ""} @change=${this.#filter} /></div>
        <div class="field"><label for="events-since">${t("events.since")}</label><input id="events-since" name="since" type="date" .value=${query.get("since") ?? ""} @change=${this.#filter} /></div>
        ${mayListAll() ? html`<div class="field check"><input id="events-all" name="all" type="checkbox" .checked=${query.has("all")} @change=${this.#filter} /><label for="events-all">${t("events.allOrganizations")}</label></div>` : nothing}
      </search>
      ${list.render((items) => eventList([...arrived, ...items], { isNew }), arrived.length > 0 ? eventList(arrived, { isNew }) : empty(t("events.none")))}`;
  }
}

customElements.define("keystead-events", Events);
