/** The page `/device/`: a person enters the code that a device shows, and decides about it (RFC 8628). */

import { isRedirected } from "../shared/address";
import { h, say, show } from "../shared/dom";
import { Alerts, field, formOf, submitButton } from "../shared/form";
import { keepCode, takeCode } from "../shared/kept_code";
import { oauthService } from "../shared/oauth";
import { begin } from "../shared/page";
import { explain, type Refusal } from "../shared/refusals";
import { bySession, goToSignIn } from "../shared/session";
import { text } from "../shared/words";
import { Question } from "./question";

/** Asks for the code; `refusal` tells why another one does not work. */
function enter(refusal?: Refusal): void {
  const alerts = new Alerts();
  const code = field(text("connect.code"), text("connect.codeHint"), {
    name: "code",
    autocomplete: "off",
    autocapitalize: "characters",
  });
  const submit = submitButton(text("connect.continue"));
  const work = async () => {
    alerts.clear();
    const entered = code.input.value.trim();
    code.refuse(entered ? "" : text("connect.noCode"));
    if (entered) await find(entered, true, (found) => alerts.tell(found));
  };
  show(
    text("connect.title"),
    h("p", { class: "lead" }, text("connect.introduction")),
    formOf(submit, work, code.element, alerts.element, h("div", { class: "actions" }, submit)),
  );
  if (refusal) alerts.tell(refusal);
}

/**
 * Looks a code up, and shows the questions about its device. Without a session, the person signs in first.
 * `isTyped`: the person has entered the code on this page.
 */
async function find(code: string, isTyped: boolean, refused: (refusal: Refusal) => void): Promise<void> {
  say(text("connect.finding"));
  try {
    const [device, { user }] = await Promise.all([
      oauthService.describeDevice({ userCode: code }),
      bySession.users.getCurrentUser({}),
    ]);
    if (!user) return;
    const question = new Question(device, user, {
      again: () => void find(code, isTyped, enter),
      invalid: enter,
      ended: () => signIn(code),
    });
    if (isTyped) question.ask();
    else question.compare();
  } catch (error) {
    const refusal = explain(error, { by: "session" });
    if (refusal.isEnd) signIn(code);
    else refused(refusal);
  }
}

function signIn(code: string): void {
  keepCode(code);
  goToSignIn();
}

/** The code in the fragment of the address, which is removed from the history, or the one kept during the sign-in. */
function readCode(): string {
  const code = new URLSearchParams(location.hash.slice(1)).get("code") ?? "";
  if (code) history.replaceState(null, "", location.pathname);
  const kept = takeCode();
  return code || kept;
}

function start(): void {
  const code = readCode();
  if (code) void find(code, false, enter);
  else enter();
}

if (!isRedirected()) void begin().then(start);
