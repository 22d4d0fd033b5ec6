/** The sessions of the organization: search, end one, end all of a user. The list follows the events of users. */

import { html, nothing, type TemplateResult } from "lit";
import { type Session, SessionService, SignInMethod } from "../../gen/console/keystead/session/v1/session_service_pb";
import { mayListAll, may } from "../access";
import { client, read } from "../api";
import { arriving } from "../live_events";
import { badge, empty, head, name, table, time, titled } from "../parts";
import { filterBy, type Route, to } from "../router";
import { deviceOf, endAll, endOne } from "../session_ends";
import { type Page, Paged, totalOf, View } from "../view";
import { maybe, t } from "../view_words";
import "../sign_in_refusals";

const sessions = client(SessionService);

const METHODS = [SignInMethod.PASSKEY, SignInMethod.IDP];
/** The types of events after which the list is another. */
const CHANGES = /session|removed|locked|unlinked/;
const PAGE_SIZE = 50;

export function views({ path }: Route): string {
  return path[1] === "refused" ? "keystead-sign-in-refusals" : "keystead-sessions";
}

class Sessions extends View {
  readonly #list = new Paged<Session>(this, (token) => this.#page(token));
  #watch: AbortController | undefined;
  #isLive = false;
  /** The list has changed, and is too long to be loaded again unasked. */
  #isOutdated = false;
  #total = "";

  override connectedCallback(): void {
    super.connectedCallback();
    if (may("EventService/WatchEvents")) void this.#follow();
  }

  override disconnectedCallback(): void {
    this.#watch?.abort();
    super.disconnectedCallback();
  }

  get #isEverywhere(): boolean {
    return this.route.query.has("all") && mayListAll();
  }

  async #page(pageToken: string): Promise<Page<Session>> {
    const { query } = this.route;
    if (pageToken === "") this.#isOutdated = false;
    const page = await read((options) =>
      sessions.listOrganizationSessions(
        {
          query: query.get("q") ?? "",
          method: Number(query.get("method") ?? 0),
          allOrganizations: this.#isEverywhere,
          pageSize: PAGE_SIZE,
          pageToken,
          withTotalSize: pageToken === "",
        },
        options,
      ),
    );
    if (pageToken === "") this.#total = totalOf(page);
    return { items: page.sessions, next: page.nextPageToken };
  }

  /** Loads the list again after events that change it, unless the person has loaded further pages. */
  async #follow(): Promise<void> {
    this.#watch?.abort();
    const watch = new AbortController();
    this.#watch = watch;
    const conditions = { aggregateType: "user", allOrganizations: this.#isEverywhere };
    let isFirst = true;
    for await (const arrived of arriving(conditions, watch.signal)) {
      this.#isLive = arrived !== undefined;
      // What happened between the list and the stream is in neither.
      if ((isFirst && arrived) || arrived?.some(({ eventType }) => CHANGES.test(eventType))) this.#changed();
      isFirst &&= arrived === undefined;
      this.requestUpdate();
    }
  }

  #changed(): void {
    if ((this.#list.items?.length ?? 0) > PAGE_SIZE) this.#isOutdated = true;
    else this.#list.reloadSoon();
  }

  readonly #filter = (event: globalThis.Event) => {
    filterBy(event, this.route);
    this.#list.reloadSoon();
    if ((event.target as HTMLInputElement).name === "all" && this.#watch) void this.#follow();
  };

  protected override render(): TemplateResult {
    const { query } = this.route;
    const reload = () => this.#list.reload();
    const live = this.#watch
      ? html`<span class="live ${this.#isLive ? "on" : ""}" role="status">${t(this.#isLive ? "events.live" : "events.connecting")}</span>`
      : nothing;
    const again = html`<button type="button" @click=${() => void reload()}>${t("sessions.again")}</button>`;
    const refused = html`<a class="button" href=${to(["sessions", "refused"])}>${t("refusedSignIns")}</a>`;
    const isFiltered = query.has("q") || query.has("method");
    return html`${head(t("sessions"), { lead: t("sessions.lead"), actions: html`${refused}${this.#isOutdated || !this.#watch ? again : nothing}${live}` })}
      <search class="filters">
        <div class="field"><label for="sessions-query">${t("search")}</label><input id="sessions-query" name="q" type="search" autocomplete="off" spellcheck="false" maxlength="200" placeholder=${t("sessions.query")} .value=${query.get("q") ?? ""} @input=${this.#filter} /></div>
        <div class="field"><label for="sessions-method">${t("sessions.method")}</label><select id="sessions-method" name="method" @change=${this.#filter}>
          <option value="">${t("events.all")}</option>
          ${METHODS.map((each) => html`<option value=${each} ?selected=${`${each}` === query.get("method")}>${methodName(each)}</option>`)}
        </select></div>
        ${mayListAll() ? html`<div class="field check"><input id="sessions-all" name="all" type="checkbox" .checked=${query.has("all")} @change=${this.#filter} /><label for="sessions-all">${t("events.allOrganizations")}</label></div>` : nothing}
      </search>
      ${this.#total ? html`<p class="total" role="status">${t("sessions.total", { total: this.#total })}</p>` : nothing}
      ${this.#list.render(
        (items) =>
          table(
            t("sessions"),
            [
              {
                label: t("sessions.user"),
                cell: (each) =>
                  titled(name(nameOf(each)), html`${name(deviceOf(each))} · ${each.ipAddress}`, [
                    "users",
                    each.userId,
                    "sessions",
                  ]),
              },
              {
                label: t("user.signedIn"),
                cell: (each) =>
                  html`${time(each.authenticatedAt)}<br /><small>${methodName(each.idpId ? SignInMethod.IDP : SignInMethod.PASSKEY)}</small>`,
                isWide: true,
              },
              { label: t("user.lastSeen"), cell: (each) => time(each.lastSeenAt), isWide: true },
              { label: t("actions"), isLabelHidden: true, cell: (each) => this.#actions(each, items, reload) },
            ],
            items,
          ),
        empty(t(isFiltered ? "sessions.noneFound" : "sessions.none")),
      )}`;
  }

  /** The first session of a user who has several can end all of them. */
  #actions(session: Session, items: readonly Session[], reload: () => Promise<void>): TemplateResult | typeof nothing {
    const { userId, current } = session;
    const shown = nameOf(session);
    const ofUser = items.filter((each) => each.userId === userId);
    const end = current
      ? badge(t("user.thisSession"), "good")
      : html`<button type="button" class="quiet danger" aria-label=${t("sessions.endOne", { name: shown, device: deviceOf(session) })} @click=${() => void endOne(session, reload)}>${t("user.end")}</button>`;
    if (!may("SessionService/EndSession")) return current ? end : nothing;
    if (ofUser.length < 2 || ofUser[0] !== session) return end;
    return html`${end} <button type="button" class="quiet danger" aria-label=${t("sessions.endAllOf", { name: shown })} @click=${() => endAll(userId, t("sessions.endAllTitle", { name: shown }), reload)}>${t("sessions.endAll")}</button>`;
  }
}

function nameOf({ displayName, userName }: Session): string {
  return displayName || userName;
}

function methodName(method: SignInMethod): string {
  return maybe(`value.SIGN_IN_METHOD_${SignInMethod[method]}`) ?? "";
}

customElements.define("keystead-sessions", Sessions);
