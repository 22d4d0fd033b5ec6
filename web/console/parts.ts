/** The parts of views: one function for each idea. */

import { type Timestamp, timestampDate } from "@bufbuild/protobuf/wkt";
import { html, nothing, svg, type TemplateResult } from "lit";
import { locale } from "../shared/words";
import { done, notDone } from "./notice";
import { to } from "./router";
import { t } from "./words";

export type Content = TemplateResult | string | number | typeof nothing;

const TURNS_TEXT = /[\u202a-\u202e\u2066-\u2069]/g;
const MOMENT = new Intl.DateTimeFormat(locale, { dateStyle: "medium", timeStyle: "short" });
const EXACT = new Intl.DateTimeFormat(locale, { dateStyle: "medium", timeStyle: "medium" });
const RELATIVE = new Intl.RelativeTimeFormat(locale, { numeric: "auto" });
const UNITS: readonly (readonly [unit: Intl.RelativeTimeFormatUnit, seconds: number])[] = [
  ["day", 86_400],
  ["hour", 3600],
  ["minute", 60],
];

/** A name that a person chose, isolated from the direction of the text around it. Where it is cut, its title has all of it. */
export function name(text: string): TemplateResult {
  const shown = text.replaceAll(TURNS_TEXT, "");
  return html`<bdi title=${shown}>${shown}</bdi>`;
}

/** The beginning of a view: its heading, the way up, and its actions. */
export function head(
  title: Content,
  {
    up,
    lead,
    actions = nothing,
  }: { up?: readonly [label: string, href: string]; lead?: Content; actions?: Content } = {},
): TemplateResult {
  return html`<div class="head">
    ${up ? html`<nav class="up" aria-label=${t("up")}><a href=${up[1]}><span aria-hidden="true">‹ </span>${up[0]}</a></nav>` : nothing}
    <div class="head-line"><h1 tabindex="-1">${title}</h1><div class="actions">${actions}</div></div>
    ${lead ? html`<p class="lead">${lead}</p>` : nothing}
  </div>`;
}

/** A part of a view with a heading of its own. */
export function section(
  title: string,
  body: Content,
  { lead, actions = nothing }: { lead?: Content; actions?: Content } = {},
): TemplateResult {
  return html`<section class="panel">
    <div class="head-line"><h2>${title}</h2><div class="actions">${actions}</div></div>
    ${lead ? html`<p class="lead">${lead}</p>` : nothing}${body}
  </section>`;
}

/** A column of a table. `isWide`: not on small screens. */
export interface Column<Item> {
  readonly label: string;
  readonly cell: (item: Item) => Content;
  readonly isWide?: boolean;
  /** The cell is a text of any length in one line. */
  readonly isText?: boolean;
  readonly isLabelHidden?: boolean;
  /** The present order of the list by this column, and the way to change it. */
  readonly order?: { readonly is: "ascending" | "descending" | "none"; readonly change: () => void };
}

/** A table whose first column names the items. */
export function table<Item>(caption: string, columns: readonly Column<Item>[], items: readonly Item[]): TemplateResult {
  const looks = ({ isWide, isText }: Column<Item>) => [isWide && "wide", isText && "text"].filter(Boolean).join(" ");
  const label = ({ label, isLabelHidden, order }: Column<Item>) => {
    if (order) return html`<button type="button" class="link" @click=${order.change}>${label}</button>`;
    return isLabelHidden ? html`<span class="hidden">${label}</span>` : label;
  };
  return html`<table>
    <caption class="hidden">${caption}</caption>
    <thead><tr>${columns.map((each) => html`<th scope="col" class=${looks(each)} aria-sort=${each.order?.is ?? nothing}>${label(each)}</th>`)}</tr></thead>
    <tbody>${items.map(
      (item) =>
        html`<tr>${columns.map((each, index) =>
          index === 0
            ? html`<th scope="row">${each.cell(item)}</th>`
            : html`<td class=${looks(each)}>${each.cell(item)}</td>`,
        )}</tr>`,
    )}</tbody>
  </table>`;
}

/** The first cell of a row: a link to the item, and a line that tells it from others. */
export function titled(
  title: Content,
  second: Content,
  path?: readonly string[],
  query?: Readonly<Record<string, string>>,
): TemplateResult {
  return html`<span class="titled">${path ? html`<a href=${to(path, query)}>${title}</a>` : html`<span>${title}</span>`}${second ? html`<small>${second}</small>` : nothing}</span>`;
}

/** Terms and values. */
export function facts(
  ...pairs: readonly (readonly [term: string, value: Content] | false | undefined)[]
): TemplateResult {
  return html`<dl class="facts">${pairs.map((pair) => (pair ? html`<div><dt>${pair[0]}</dt><dd>${pair[1]}</dd></div>` : nothing))}</dl>`;
}

/** An ID or another text to copy. `label` names it for the button. */
export function copyable(text: string, label: string): TemplateResult {
  return html`<span class="copyable"><code>${text}</code><button type="button" class="icon-button" aria-label=${t("copyOne", { name: label })} title=${t("copy")} @click=${() => copy(text)}>${icon("copy")}</button></span>`;
}

/** A text in which backticks mark code. */
export function coded(text: string): TemplateResult {
  return html`${text.split("`").map((each, index) => (index % 2 ? html`<code>${each}</code>` : each))}`;
}

/** Lines of code to copy. */
export function snippet(label: string, code: string): TemplateResult {
  return html`<figure class="snippet"><figcaption>${label}<button type="button" class="icon-button" aria-label=${t("copyOne", { name: label })} title=${t("copy")} @click=${() => copy(code)}>${icon("copy")}</button></figcaption><pre tabindex="0" role="region" aria-label=${label}><code>${code}</code></pre></figure>`;
}

function copy(text: string): void {
  navigator.clipboard.writeText(text).then(() => done(t("copied")), notDone);
}

/** A short word about the state of an item. */
export function badge(text: string, tone: "good" | "bad" | "plain" = "plain"): TemplateResult {
  return html`<span class="tag ${tone}">${text}</span>`;
}

/** A list without items: the reason or the next step. */
export function empty(text: string): TemplateResult {
  return html`<p class="empty">${text}</p>`;
}

/** A time, relative if it is less than a week away. */
export function time(timestamp: Timestamp | undefined): Content {
  if (!timestamp) return "–";
  const date = timestampDate(timestamp);
  return html`<time datetime=${date.toISOString()} title=${EXACT.format(date)}>${relative(date) ?? MOMENT.format(date)}</time>`;
}

/** A time to the second. */
export function exactTime(timestamp: Timestamp | undefined): Content {
  if (!timestamp) return "–";
  const date = timestampDate(timestamp);
  return html`<time datetime=${date.toISOString()}>${EXACT.format(date)}</time>`;
}

function relative(date: Date): string | undefined {
  const seconds = (date.getTime() - Date.now()) / 1000;
  if (Math.abs(seconds) > 7 * 86_400) return undefined;
  const [unit, length] = UNITS.find(([, each]) => Math.abs(seconds) >= each) ?? ["second", Number.POSITIVE_INFINITY];
  return RELATIVE.format(Math.trunc(seconds / length), unit);
}

/** Links to parts of an object, of which one is shown. */
export function tabs(
  label: string,
  items: readonly (readonly [text: string, path: readonly string[], isCurrent: boolean])[],
): TemplateResult {
  return html`<nav class="tabs" aria-label=${label}>${items.map(
    ([text, path, isCurrent]) => html`<a href=${to(path)} aria-current=${isCurrent ? "page" : nothing}>${text}</a>`,
  )}</nav>`;
}

/** Paths on a grid of 24, stroked with the colour of the text. */
const PATHS = {
  overview: "M4 13h7V4H4zM13 20h7v-9h-7zM4 20h7v-4H4zM13 8h7V4h-7z",
  orgs: "M4 20V5h9v15M13 10h7v10M3 20h18M7 9h3M7 13h3M16 14h1",
  users:
    "M9 11a3.500 3.500 0 1 0 0-7 3.500 3.500 0 0 0 0 7ZM2.500 20a6.500 6.500 0 0 1 13 0M16 4.500a3.500 3.500 0 0 1 0 6M18 14a6.500 6.500 0 0 1 3.500 6",
  sessions: "M3 5h18v12H3zM9 21h6M12 17v4M9.500 11l2 2 3.500-4",
  groups:
    "M12 8a2.500 2.500 0 1 0 0-5 2.500 2.500 0 0 0 0 5ZM6 20a2.500 2.500 0 1 0 0-5 2.500 2.500 0 0 0 0 5ZM18 20a2.500 2.500 0 1 0 0-5 2.500 2.500 0 0 0 0 5ZM12 8v4M6 15v-1.500h12V15",
  attributes: "M4 5h9l7 7-8 8-8-8zM8.500 9.500h.010",
  applications: "M4 5h16v14H4zM4 9.500h16M7 7.200h.010",
  idps: "M12 3l7 3v5c0 4.500-3 8-7 10-4-2-7-5.500-7-10V6zM9 12l2 2 4-4.500",
  smtp: "M3.500 6h17v12h-17zM4 7l8 6 8-6",
  push: "M4 12h12M11 7l5 5-5 5M20 5v14",
  events: "M4 6h2M10 6h10M4 12h2M10 12h10M4 18h2M10 18h10",
  copy: "M9 9h11v11H9zM5 15H4V4h11v1",
  system: "M4 4h16v7H4zM4 13h16v7H4zM7.500 7.500h.010M7.500 16.500h.010",
  search: "M10.500 17a6.500 6.500 0 1 0 0-13 6.500 6.500 0 0 0 0 13ZM15.200 15.200 20 20",
  menu: "M4 7h16M4 12h16M4 17h16",
} as const;

export function icon(which: keyof typeof PATHS): TemplateResult {
  return html`<svg class="glyph" viewBox="0 0 24 24" aria-hidden="true">${svg`<path d=${PATHS[which]} />`}</svg>`;
}
