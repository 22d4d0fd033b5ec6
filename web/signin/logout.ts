/** A request of an application to sign the person out, from its arrival on this page to the way back. */

import { h, nameOf, show } from "../shared/dom";
import { takesDeliberatePresses } from "../shared/deliberate";
import { alertOf, Alerts, busy, button, formOf, submitButton } from "../shared/form";
import { oauthService } from "../shared/oauth";
import { explain, reasonOf } from "../shared/refusals";
import { decoded } from "../shared/request";
import { goToAccount, goToSignIn, sessionService } from "../shared/session";
import { tellTabs } from "../shared/tabs";
import { text, textWith } from "../shared/words";
import { showEnd } from "./ends";
import { goToApplication } from "./way_back";

const GIVEN = "#logout=";
const CIRCUMSTANCES = { by: "request" } as const;
const SIGNED_OUT = "UNAUTHENTICATED";

/** The sealed request of this address; undefined without one. */
export function readLogout(): string | undefined {
  return location.hash.startsWith(GIVEN) ? decoded(location.hash.slice(GIVEN.length)) : undefined;
}

/** Signs the person out; asks first unless the application has named this session. */
export async function openLogout(sealedRequest: string): Promise<void> {
  try {
    const [asked, sessionId] = await Promise.all([oauthService.describeLogout({ sealedRequest }), currentSessionId()]);
    const { clientName, redirectUri } = asked;
    if (!sessionId) leave(redirectUri, clientName);
    else if (sessionId === asked.sessionId) await signOut(redirectUri, clientName);
    else ask(redirectUri, clientName);
  } catch (error) {
    const refusal = explain(error, CIRCUMSTANCES);
    if (refusal.isEnd) {
      showEnd(refusal);
      return;
    }
    const again = button(text("tryAgain"), () => void busy(again, () => openLogout(sealedRequest)), "primary");
    show(text("logout.title"), alertOf(refusal), h("div", { class: "actions" }, again));
  }
}

function ask(redirectUri: string, clientName: string): void {
  const lead = clientName ? textWith("logout.text", { name: nameOf(clientName) }) : [text("logout.textUnnamed")];
  const alerts = new Alerts();
  const primary = submitButton(text("signOut"));
  const confirm = async () => {
    alerts.clear();
    try {
      await signOut(redirectUri, clientName);
    } catch (error) {
      alerts.tell(explain(error, CIRCUMSTANCES));
    }
  };
  takesDeliberatePresses(primary, new AbortController().signal);
  const stay = button(text("logout.stay"), () => goToAccount());
  const actions = h("div", { class: "actions" }, primary, stay);
  show(text("logout.title"), h("p", { class: "lead" }, ...lead), formOf(primary, confirm, alerts.element, actions));
}

async function signOut(redirectUri: string, clientName: string): Promise<void> {
  try {
    await sessionService.signOut({});
  } catch (error) {
    if (reasonOf(error) !== SIGNED_OUT) throw error;
  }
  tellTabs("signed-out");
  leave(redirectUri, clientName);
}

function leave(redirectUri: string, clientName: string): void {
  if (redirectUri) goToApplication(redirectUri, { clientName, clientHost: "", prompts: [] });
  else goToSignIn("signed-out");
}

async function currentSessionId(): Promise<string | undefined> {
  try {
    return (await sessionService.getCurrentSession({})).session?.sessionId;
  } catch (error) {
    if (reasonOf(error) === SIGNED_OUT) return undefined;
    throw error;
  }
}
