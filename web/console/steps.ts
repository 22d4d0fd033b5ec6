/** The steps of a connection test. */

import type { Duration } from "@bufbuild/protobuf/wkt";
import { html, nothing, type TemplateResult } from "lit";
import { maybe, t } from "./words";

interface Step {
  readonly name: string;
  readonly succeeded: boolean;
  readonly duration?: Duration | undefined;
  readonly reason: string;
  readonly message: string;
}

/** The steps in their order; the last one has failed, if any has. The server's sentences are English. */
export function stepList(steps: readonly Step[]): TemplateResult {
  const hasFailed = steps.some(({ succeeded }) => !succeeded);
  return html`<div role="status" class="outcome"><p class=${hasFailed ? "warning" : "done"}>${t(hasFailed ? "test.failed" : "test.succeeded")}</p></div>
    <ol class="steps">${steps.map(({ name, succeeded, duration, reason, message }) => html`<li class=${succeeded ? "" : "failed"}>
      <span class="mark" aria-hidden="true">${succeeded ? "✓" : "✕"}</span>
      <p><strong>${maybe(`step.${name}`) ?? name}</strong><span class="hidden">: ${t(succeeded ? "yes" : "no")}</span>
        <br /><span lang="en">${message}</span>${reason ? html` <code>${reason}</code>` : nothing}</p>
      <small>${milliseconds(duration)}</small>
    </li>`)}</ol>`;
}

function milliseconds(duration: Duration | undefined): string {
  return duration ? `${Math.round(Number(duration.seconds) * 1000 + duration.nanos / 1e6)} ms` : "";
}
