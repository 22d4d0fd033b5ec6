/** The figures of the organization on the overview; first steps in their place while it has one user. */

import { html, nothing, svg, type TemplateResult } from "lit";
import {
  type DayOfSignIns,
  type OrganizationFigures,
  OrganizationService,
} from "../gen/console/keystead/org/v1/organization_service_pb";
import { locale } from "../shared/words";
import { may, mayListAll, organizationId } from "./access";
import { client, read } from "./api";
import { name, section, table, time } from "./parts";
import { to } from "./router";
import { Loaded, View } from "./view";
import { counted, type Key, type Plural, t } from "./words";

const organizations = client(OrganizationService);

const NUMBER = new Intl.NumberFormat(locale);
/** Of a day in UTC, as the server counts them. */
const DAY = new Intl.DateTimeFormat(locale, { day: "numeric", month: "short", timeZone: "UTC" });
/** The state of mails and deliveries that failed, in the address of their list. */
export const FAILED = "3";
/** More are not counted. */
const MOST = 1000;

const CHART_HEIGHT = 96;
const BAR = 12;
const STEP = 16;

/** A figure, and the list that it counts. */
type Figure = readonly [label: Key, value: number, path: readonly string[], query?: Readonly<Record<string, string>>];

class Figures extends View {
  readonly #figures = new Loaded(this, async () => {
    const call = read((options) => organizations.getOrganizationFigures({ orgId: organizationId() }, options));
    return (await call).figures!;
  });

  protected override render(): TemplateResult {
    return this.#figures.render((figures) => (figures.users > 1 ? this.#all(figures) : this.#steps(figures)));
  }

  #all(figures: OrganizationFigures): TemplateResult {
    const people: Figure[] = [
      ["users", figures.users, ["users"]],
      ["figures.active7", figures.usersActive7Days, ["users"], { seen: "in7" }],
      ["figures.active30", figures.usersActive30Days, ["users"], { seen: "in30" }],
      ["figures.invited", figures.usersInvited, ["users"], { state: "invited" }],
      ["figures.onePasskey", figures.usersWithOnePasskey, ["users"], { passkeys: "one", state: "active" }],
      ["figures.locked", figures.usersLocked, ["users"], { state: "locked" }],
      ["figures.sessions", figures.sessions, ["sessions"]],
    ];
    return html`<ul class="figures">${people.map(
      ([label, value, path, query]) =>
        html`<li><a href=${to(path, query)}><strong>${NUMBER.format(value)}</strong><span>${t(label)}</span></a></li>`,
    )}</ul>
      ${this.#attention(figures)}${signIns(figures.days)}`;
  }

  #attention(figures: OrganizationFigures): TemplateResult | typeof nothing {
    const { failedMails, failedDeliveries, expiringTokens, refusedApplications } = figures;
    const failed = [
      // The overview tells of all mails of the instance.
      !mayListAll() && failedMails > 0 && link("figures.mails", failedMails, ["mail", "outbox"]),
      failedDeliveries > 0 && link("figures.deliveries", failedDeliveries, ["push", "deliveries"]),
    ].filter(Boolean);
    const isQuiet = failed.length === 0 && expiringTokens === 0 && refusedApplications.length === 0;
    if (isQuiet) return nothing;
    return section(
      t("figures.attention"),
      html`<ul class="attention">${failed.map((each) => html`<li>${each}</li>`)}
        ${figures.nextExpiringTokens.map(
          (each) =>
            html`<li><a href=${to(["users", each.userId, "security"])}>${t(each.isCertificate ? "figures.certificate" : "figures.token", { name: each.name || each.tokenId })}</a> <small>${name(each.userName)} · ${time(each.expiresAt)}</small></li>`,
        )}
        ${expiringTokens > figures.nextExpiringTokens.length ? html`<li>${moreTokens(expiringTokens - figures.nextExpiringTokens.length)}</li>` : nothing}
        ${refusedApplications.map(
          (each) =>
            html`<li><a href=${to(["applications", each.applicationId, "refusals"])}>${counted("figures.refusals", each.count)}</a> <small>${time(each.refusedAt)}</small></li>`,
        )}</ul>`,
    );
  }

  #steps(figures: OrganizationFigures): TemplateResult {
    const steps = [
      ["UserService/ImportUsers", "figures.stepPeople", ["users", "invite"], false],
      ["SMTPService/UpdateSMTPConfig", "figures.stepMail", ["mail"], figures.sendsMail],
      [
        "ApplicationService/CreateApplication",
        "figures.stepApplication",
        ["applications", "new"],
        figures.applications > 0,
      ],
      ["IdentityProviderService/CreateIDP", "figures.stepProvider", ["idps"], false],
      ["BrandService/SetBrand", "figures.stepBrand", ["organizations", organizationId()], false],
    ] as const;
    return section(
      t("figures.steps"),
      html`<ol class="first-steps">${steps.map(([method, label, path, isDone]) =>
        may(method)
          ? html`<li><a href=${to(path)}>${t(label)}</a>${isDone ? html` <span class="tag good">${t("figures.stepDone")}</span>` : nothing}</li>`
          : nothing,
      )}</ol>`,
      { lead: t("figures.stepsLead") },
    );
  }
}

function atMost(count: number): string {
  return `${NUMBER.format(count)}${count >= MOST ? "+" : ""}`;
}

function moreTokens(count: number): string {
  return counted("figures.moreTokens", count, atMost(count));
}

function link(key: Plural, count: number, path: readonly string[]): TemplateResult {
  return html`<a href=${to(path, { state: FAILED })}>${counted(key, count, atMost(count))}</a>`;
}

/** A bar chart of the days, and the same as a table for screen readers. */
function signIns(days: readonly DayOfSignIns[]): TemplateResult {
  const most = Math.max(1, ...days.map((each) => each.signIns + each.refusedSignIns));
  const sum = (of: (day: DayOfSignIns) => number) => NUMBER.format(days.reduce((all, each) => all + of(each), 0));
  const dayOf = (each: DayOfSignIns) => DAY.format(new Date(`${each.day}T00:00:00Z`));
  const height = (count: number) => (count === 0 ? 0 : Math.max(2, (count / most) * CHART_HEIGHT));
  return section(
    t("figures.signIns"),
    html`<figure class="chart">
      <svg aria-hidden="true" viewBox="0 0 ${days.length * STEP} ${CHART_HEIGHT + 1}" preserveAspectRatio="none">
        ${days.map((each, index) => {
          const [top, below] = [height(each.refusedSignIns), height(each.signIns)];
          const title = svg`<title>${dayOf(each)}: ${t("figures.signInsOfDay", { count: each.signIns, refused: each.refusedSignIns })}</title>`;
          return svg`<g>${title}
            <rect class="day" x=${index * STEP} y="0" width=${STEP} height=${CHART_HEIGHT + 1} />
            <rect class="good" x=${index * STEP + 2} y=${CHART_HEIGHT - below} width=${BAR} height=${below} />
            <rect class="bad" x=${index * STEP + 2} y=${Math.max(0, CHART_HEIGHT - below - top)} width=${BAR} height=${top} /></g>`;
        })}
        <line x1="0" x2=${days.length * STEP} y1=${CHART_HEIGHT + 0.5} y2=${CHART_HEIGHT + 0.5} />
      </svg>
      <div class="axis" aria-hidden="true"><span>${days[0] ? dayOf(days[0]) : nothing}</span><span>${days.length > 0 ? dayOf(days.at(-1)!) : nothing}</span></div>
      <figcaption aria-hidden="true"><span class="key good">${t("figures.succeeded")} ${sum((each) => each.signIns)}</span><span class="key bad">${t("figures.refused")} ${sum((each) => each.refusedSignIns)}</span></figcaption>
    </figure>
    <div class="hidden">${table(
      t("figures.signIns"),
      [
        { label: t("figures.day"), cell: dayOf },
        { label: t("figures.succeeded"), cell: (each: DayOfSignIns) => NUMBER.format(each.signIns) },
        { label: t("figures.refused"), cell: (each: DayOfSignIns) => NUMBER.format(each.refusedSignIns) },
      ],
      days,
    )}</div>`,
    {
      lead: t("figures.signInsLead"),
      actions: may("EventService/ListEvents")
        ? html`<a class="button" href=${to(["sessions", "refused"])}>${t("figures.toRefused")}</a><a class="button" href=${to(["events"], { type: "signIns", since: days[0]?.day ?? "" })}>${t("figures.toSignIns")}</a>`
        : nothing,
    },
  );
}

customElements.define("keystead-figures", Figures);
