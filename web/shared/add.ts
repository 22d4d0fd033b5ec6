/** The view that adds a passkey: a form with its name. Nothing is sent before the button is pressed. */

import { suggestedName } from "./device";
import { type Child, h, say, show } from "./dom";
import { Alerts, button, field, formOf, submitButton, wrongName } from "./form";
import { type Circumstances, explain, type Refusal, type Step, violationOf } from "./refusals";
import type { Registration } from "./registration";
import { text, type TextKey } from "./words";

interface Adding {
  readonly by: Circumstances["by"];
  readonly title?: string;
  /** A sentence before the introduction. */
  readonly lead?: Child[] | undefined;
  readonly introduction: Child[];
  readonly registration: Registration;
  readonly added: (name: string, registrationToken: string) => void;
  /** Called after a refusal after which no further attempt can succeed. */
  readonly ended: (refusal: Refusal) => void;
  /** A refusal that was received before, and may be temporary. */
  readonly told?: Refusal | undefined;
  /** Called by the button Cancel, which can have another label; without it, there is no such button. */
  readonly cancelled?: () => void;
  readonly cancel?: string;
}

const PROGRESS: Readonly<Record<Step, TextKey>> = {
  beginning: "add.beginning",
  making: "add.making",
  saving: "add.saving",
};

/** Shows the form. The signal ends a pending ceremony when another view replaces this one. */
export function showAdd(adding: Adding, signal: AbortSignal): void {
  const name = field(text("add.name"), text("add.nameHint"), {
    name: "passkey-name",
    autocomplete: "off",
  });
  name.input.value = suggestedName();
  const alerts = new Alerts();
  const create = submitButton(text("add.create"));
  const cancel = adding.cancelled && button(adding.cancel ?? text("cancel"), adding.cancelled);
  const actions = h("div", { class: "actions" }, create, cancel);
  const form = formOf(create, submit, name.element, alerts.element, actions);
  const lead = adding.lead && h("p", { class: "lead" }, ...adding.lead);
  show(adding.title ?? text("add.title"), lead, h("p", {}, ...adding.introduction), form);
  if (adding.told) alerts.tell(adding.told);

  async function submit(): Promise<void> {
    const wanted = name.input.value.trim();
    const wrong = wrongName(wanted);
    name.refuse(wrong);
    alerts.clear();
    if (wrong) return;
    let step: Step | undefined;
    let registrationToken: string;
    try {
      registrationToken = await adding.registration.run(wanted, signal, (reached) => {
        step = reached;
        say(text(PROGRESS[reached]));
      });
    } catch (error) {
      if (!signal.aborted) refused(error, step);
      return;
    }
    if (!signal.aborted) adding.added(wanted, registrationToken);
  }

  function refused(error: unknown, step: Step | undefined): void {
    const violation = violationOf(error, "passkeyName", "name.refused");
    const refusal = explain(error, { by: adding.by, step });
    if (violation) name.refuse(violation);
    else if (refusal.isEnd) adding.ended(refusal);
    else {
      alerts.tell(refusal);
      create.textContent = text("tryAgain");
    }
  }
}
