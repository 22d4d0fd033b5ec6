/** Mails and pushes alike: the state of a delivery, its attempts, the filter of a list, and the button that retries. */

import type { Timestamp } from "@bufbuild/protobuf/wkt";
import { html, nothing, render, type TemplateResult } from "lit";
import { openDialog } from "./dialogs";
import { done, notDone } from "./notice";
import { badge, copyable, exactTime } from "./parts";
import { filterBy, type Route } from "./router";
import { counted, maybe, t } from "./view_words";

/** The states of both kinds of deliveries, by their number in the schema. */
const [PENDING, SENT, FAILED, CANCELLED] = [1, 2, 3, 4] as const;
const STATES: ReadonlyMap<number, string> = new Map([
  [PENDING, "PENDING"],
  [SENT, "SENT"],
  [FAILED, "FAILED"],
  [CANCELLED, "CANCELLED"],
]);

interface Attempt {
  readonly startedAt?: Timestamp | undefined;
  readonly reason: string;
  readonly message: string;
  /** Of an answer by HTTP; 0 without one. */
  readonly status?: number;
}

/** A comparison of a filter (AIP-160) with a value of any characters; none with an empty value. */
export function equal(field: string, value: string | null | undefined): string {
  return value ? `${field} = "${value.replace(/["\\]/g, "\\$&")}"` : "";
}

/** The filter that the address of a view selects, with further comparisons. */
export function filterOf({ query }: Route, ...further: readonly string[]): string {
  const since = new Date(query.get("since") ?? "");
  return [
    ...further,
    equal("state", STATES.get(Number(query.get("state")))),
    Number.isNaN(since.getTime()) ? "" : `created_at >= "${since.toISOString()}"`,
  ]
    .filter(Boolean)
    .join(" AND ");
}

/** Fields that select a state, a time and `further`, and keep them in the address. */
export function filters(
  route: Route,
  reload: () => Promise<void>,
  further: TemplateResult | typeof nothing = nothing,
): TemplateResult {
  const select = (event: Event) => {
    if (!(event.target as HTMLInputElement).name) return; // a field that finds values
    filterBy(event, route);
    void reload();
  };
  const selected = Number(route.query.get("state"));
  return html`<search class="filters panelless" @change=${select}>
    <div class="field"><label for="state">${t("state")}</label><select id="state" name="state">
      <option value="">${t("events.all")}</option>
      ${[...STATES.keys()].map((each) => html`<option value=${each} ?selected=${each === selected}>${maybe(`deliveryState.${each}`)}</option>`)}
    </select></div>
    ${further}
    <div class="field"><label for="since">${t("events.since")}</label><input id="since" name="since" type="date" .value=${route.query.get("since") ?? ""} /></div>
  </search>`;
}

/** The state, and a button that shows the attempts that failed, or `show`. The server's sentences are English. */
export function outcome(
  deliveryId: string,
  state: number,
  attempts: readonly Attempt[],
  show?: (label: string) => void,
): TemplateResult {
  const tone = state === SENT ? "good" : state === FAILED ? "bad" : "plain";
  const failures = attempts.filter(({ reason }) => reason);
  const label = counted("delivery.failures", failures.length);
  return html`${badge(maybe(`deliveryState.${state}`) ?? "", tone)}${
    failures.length > 0
      ? html`<br /><button type="button" class="link" @click=${() => (show ? show(label) : showFailures(label, deliveryId, failures))}>${label}</button>`
      : nothing
  }`;
}

function showFailures(label: string, deliveryId: string, failures: readonly Attempt[]): void {
  const content = document.createElement("div");
  render(
    html`<p>${copyable(deliveryId, "ID")}</p>
    <ol class="attempts">${failures.map(({ startedAt, reason, message, status }) => html`<li><small>${exactTime(startedAt)} · <code>${reason}</code>${status ? ` · ${status}` : nothing}</small>${message ? html`<p lang="en">${message}</p>` : nothing}</li>`)}</ol>`,
    content,
  );
  openDialog(label, content);
}

/** The button that begins the next attempt of a delivery that can have one. */
export function retrier(state: number, label: string, retry: () => Promise<unknown>): TemplateResult | typeof nothing {
  if (state !== PENDING && state !== FAILED) return nothing;
  const act = async () => {
    try {
      await retry();
      done(t("delivery.retried"));
    } catch (error) {
      notDone(error);
    }
  };
  return html`<button type="button" aria-label=${label} @click=${() => void act()}><span class="wide">${t("delivery.retry")}</span><span class="narrow" aria-hidden="true">↻</span></button>`;
}
