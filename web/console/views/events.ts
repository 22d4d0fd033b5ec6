/** The event log: conditions, and new events as they are written. */

import { timestampDate, timestampFromDate } from "@bufbuild/protobuf/wkt";
import { html, nothing, type TemplateResult } from "lit";
import { mayListAll } from "../access";
import { save } from "../csv";
import { eventList } from "../event_list";
import { LiveEvents } from "../live_events";
import { done, notDone } from "../notice";
import "../object_picker";
import { empty, head } from "../parts";
import { filterBy, setFilter } from "../router";
import { View } from "../view";
import { counted, maybe, t } from "../view_words";

const TYPES = ["application", "attribute", "group", "idp", "organization", "smtp_config", "subscription", "user"];
const COLUMNS = ["time", "event type", "object type", "object ID", "organization ID", "creator", "fields"];
/** A file of more events is one of `keystead audit --csv`. */
const MOST_EXPORTED = 10_000;
/** Types of events that people ask for together. */
const KINDS: Readonly<Record<string, readonly string[]>> = {
  signIns: [
    "user.session_started",
    "user.session_started_by_idp",
    "user.session_renewed",
    "user.application_entered",
    "user.passkey_clone_suspected",
  ],
  access: [
    "user.role_granted",
    "user.role_revoked",
    "user.role_ended",
    "user.group_joined",
    "user.group_left",
    "user.groups_imported",
    "user.application_granted",
    "user.application_revoked",
    "user.application_scopes_revoked",
    "user.locked",
    "user.unlocked",
  ],
  credentials: [
    "user.passkey_verified",
    "user.passkey_removed",
    "user.passkeys_imported",
    "user.passkey_link_created",
    "user.idp_linked",
    "user.idp_unlinked",
    "user.idp_links_imported",
    "user.token_created",
    "user.token_revoked",
  ],
};

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
    const type = query.get("type") ?? "";
    const since = new Date(query.get("since") ?? "");
    this.#live.conditions = {
      aggregateType: TYPES.includes(type) ? type : "",
      eventTypes: Object.hasOwn(KINDS, type) ? [...KINDS[type]!] : [],
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

  #select(filter: string, id: string, kind = ""): void {
    setFilter(filter, id, this.route);
    setFilter(`${filter}-kind`, kind === "user" ? "" : kind, this.route);
    this.#apply();
    void this.#live.list.reload();
  }

  readonly #export = async () => {
    try {
      const found = await this.#live.all(MOST_EXPORTED);
      const rows = found.map((each) => [
        timestampDate(each.createdAt!).toISOString(),
        each.eventType,
        each.aggregateType,
        each.aggregateId,
        each.resourceOwner,
        each.creator,
        JSON.stringify(each.payload ?? {}),
      ]);
      save("events.csv", [COLUMNS, ...rows]);
      const isAll = found.length < MOST_EXPORTED;
      done(isAll ? counted("exported", found.length) : t("events.exportedFirst", { count: found.length }));
    } catch (error) {
      notDone(error);
    }
  };

  /** The object that a filter names, or the field that finds one. */
  #picked(filter: string, label: string, kinds: readonly string[]): TemplateResult {
    const id = this.route.query.get(filter);
    if (id === null) {
      return html`<keystead-object-picker .label=${label} .kinds=${kinds} .chosen=${(found: string, _title: string, kind: string) => this.#select(filter, found, kind)}></keystead-object-picker>`;
    }
    return html`<div class="field"><span class="label">${label}</span><span class="chosen">${id === "operator" ? t("events.operator") : html`<keystead-who .kind=${this.route.query.get(`${filter}-kind`) ?? "user"} .objectId=${id}></keystead-who>`}<button type="button" @click=${() => this.#select(filter, "")}>${t("events.all")}</button></span></div>`;
  }

  protected override render(): TemplateResult {
    const { query } = this.route;
    const { list, arrived, isNew, isLive } = this.#live;
    return html`${head(t("events"), { lead: t("events.lead"), actions: html`<button type="button" @click=${this.#export}>${t("export")}</button><span class="live ${isLive ? "on" : ""}" role="status">${t(isLive ? "events.live" : "events.connecting")}</span>` })}
      <search class="filters">
        <div class="field"><label for="events-type">${t("events.type")}</label><select id="events-type" name="type" @change=${this.#filter}>
          <option value="">${t("events.all")}</option>
          ${Object.keys(KINDS).map((each) => html`<option value=${each} ?selected=${each === query.get("type")}>${maybe(`events.kind.${each}`)}</option>`)}
          <hr />
          ${TYPES.map((each) => html`<option value=${each} ?selected=${each === query.get("type")}>${maybe(`event.of.${each}`)}</option>`)}
        </select></div>
        ${this.#picked("object", t("events.object"), [])}
        ${this.#picked("by", t("events.creator"), ["user"])}
        <div class="field"><label for="events-since">${t("events.since")}</label><input id="events-since" name="since" type="date" .value=${query.get("since") ?? ""} @change=${this.#filter} /></div>
        ${mayListAll() ? html`<div class="field check"><input id="events-all" name="all" type="checkbox" .checked=${query.has("all")} @change=${this.#filter} /><label for="events-all">${t("events.allOrganizations")}</label></div>` : nothing}
      </search>
      ${list.render((items) => eventList([...arrived, ...items], { isNew }), arrived.length > 0 ? eventList(arrived, { isNew }) : empty(t("events.none")))}`;
  }
}

customElements.define("keystead-events", Events);
