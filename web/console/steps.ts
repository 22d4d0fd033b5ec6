/** Connection tests, and their steps. */

import type { Duration } from "@bufbuild/protobuf/wkt";
import { html, type LitElement, nothing, type TemplateResult } from "lit";
import { failed } from "./failure";
import { maybe, t } from "./view_words";

interface Step {
  readonly name: string;
  readonly succeeded: boolean;
  readonly duration?: Duration | undefined;
  readonly reason: string;
  readonly message: string;
}

/** A test as a part of a view: its button, and the steps or the failure of the last run. */
export class Trial {
  #steps: readonly Step[] | undefined;
  #failure: unknown;
  #isRunning = false;

  /** `run` makes the test. @throws ConnectError */
  constructor(
    private readonly host: LitElement,
    private readonly run: () => Promise<{ readonly steps: readonly Step[] }>,
  ) {}

  /** `fields` are above the button. */
  render(fields: TemplateResult | typeof nothing = nothing): TemplateResult {
    return html`<form novalidate @submit=${this.#start}>${fields}
        <div class="actions"><button type="submit" aria-disabled=${this.#isRunning} aria-busy=${this.#isRunning}>${t("test.run")}</button></div>
      </form>
      ${this.#failure === undefined ? nothing : failed(this.#failure)}
      ${this.#steps ? stepList(this.#steps) : nothing}`;
  }

  readonly #start = async (event: Event) => {
    event.preventDefault();
    if (this.#isRunning) return;
    this.#isRunning = true;
    [this.#steps, this.#failure] = [undefined, undefined];
    this.host.requestUpdate();
    try {
      this.#steps = (await this.run()).steps;
    } catch (error) {
      this.#failure = error;
    }
    this.#isRunning = false;
    this.host.requestUpdate();
  };
}

/** The steps in their order; the last one has failed, if any has. The server's sentences are English. */
function stepList(steps: readonly Step[]): TemplateResult {
  const hasFailed = steps.some(({ succeeded }) => !succeeded);
  return html`<div role="status" class="outcome"><p class=${hasFailed ? "warning" : "done"}>${t(hasFailed ? "test.failed" : "test.succeeded")}</p></div>
    <ol class="steps">${steps.map(
      ({ name, succeeded, duration, reason, message }) => html`<li class=${succeeded ? "" : "failed"}>
      <span class="mark" aria-hidden="true">${succeeded ? "✓" : "✕"}</span>
      <p><strong>${maybe(`step.${name}`) ?? name}</strong><span class="hidden">: ${t(succeeded ? "yes" : "no")}</span>
        <br /><span lang="en">${message}</span>${reason ? html` <code>${reason}</code>` : nothing}</p>
      <small>${milliseconds(duration)}</small>
    </li>`,
    )}</ol>`;
}

function milliseconds(duration: Duration | undefined): string {
  return duration ? `${Math.round(Number(duration.seconds) * 1000 + duration.nanos / 1e6)} ms` : "";
}
