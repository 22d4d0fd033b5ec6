/** The overview: the figures of the organization, or the places of the console; trouble with mail; the latest events. */

import { html, nothing, type TemplateResult } from "lit";
import { MailService } from "../../gen/console/keystead/mail/v1/mail_service_pb";
import { mailOrganization, may, mayListAll } from "../access";
import { client, read, within } from "../api";
import { eventList } from "../event_list";
import { FAILED } from "../figures";
import { LiveEvents } from "../live_events";
import { empty, head, icon, section } from "../parts";
import { to } from "../router";
import { Loaded, View } from "../view";
import { type Key, t } from "../words";

const mails = client(MailService);

const TILES = [
  ["users", "users", "UserService/ListUsers", "users"],
  ["sessions", "sessions", "SessionService/ListOrganizationSessions", "sessions"],
  ["groups", "groups", "GroupService/ListGroups", "groups"],
  ["attributes", "attributes", "AttributeService/ListAttributeDefinitions", "attributes"],
  ["applications", "applications", "ApplicationService/ListApplications", "applications"],
  ["idps", "idps", "IdentityProviderService/ListIDPs", "idps"],
  ["push", "push", "PushService/ListSubscriptions", "push"],
  ["mail", "mail", "MailService/ListMails", "smtp"],
  ["organizations", "organizations", "OrganizationService/ListOrganizations", "orgs"],
] as const;
const LATEST = 12;

export function views(): string {
  return "keystead-overview";
}

class Overview extends View {
  #live: LiveEvents | undefined;
  #failed: Loaded<number> | undefined;

  readonly #hasFigures = may("OrganizationService/GetOrganizationFigures");

  override connectedCallback(): void {
    if (may("EventService/ListEvents")) {
      this.#live ??= new LiveEvents(this, LATEST);
      this.#live.conditions = { pageSize: LATEST };
    }
    if (may("MailService/ListMails") && (mayListAll() || !this.#hasFigures)) {
      this.#failed ??= new Loaded(this, async () => {
        const { mails: found } = await read((options) =>
          mails.listMails({ filter: "state = FAILED", pageSize: 10 }, within(mailOrganization(), options)),
        );
        return found.length;
      });
    }
    super.connectedCallback();
  }

  protected override render(): TemplateResult {
    return html`${head(t("overview"))}
      ${this.#failed?.value ? html`<div class="alert"><p class="alert-title"><span aria-hidden="true">⚠ </span>${t("overview.mailFails")}</p><p><a href=${to(["mail", "outbox"], { state: FAILED })}>${t("overview.toMail")}</a></p></div><br />` : nothing}
      ${this.#hasFigures ? html`<keystead-figures .route=${this.route}></keystead-figures>` : tiles()}
      ${this.#events()}`;
  }

  #events(): TemplateResult | typeof nothing {
    if (!this.#live) return nothing;
    const { list, arrived, isNew, isLive } = this.#live;
    const latest = [...arrived, ...(list.items ?? [])].slice(0, LATEST);
    return section(
      t("overview.latest"),
      list.items
        ? latest.length > 0
          ? eventList(latest, { isNew })
          : empty(t("events.none"))
        : list.render(() => html``, html``),
      {
        actions: html`<span class="live ${isLive ? "on" : ""}" role="status">${t(isLive ? "events.live" : "events.connecting")}</span><a class="button" href=${to(["events"])}>${t("overview.allEvents")}</a>`,
      },
    );
  }
}

function tiles(): TemplateResult {
  return html`<ul class="tiles">${TILES.map(([path, label, method, glyph]) =>
    may(method)
      ? html`<li><a href=${to([path])}>${icon(glyph)}<strong>${t(label)}</strong><small>${t(`tile.${path}` as Key)}</small></a></li>`
      : nothing,
  )}</ul>`;
}

customElements.define("keystead-overview", Overview);
