/** The old address of a sign-in, the way back from it, and the passkey of the new domain. */

import type { JsonObject } from "@bufbuild/protobuf";
import { isOwn } from "../shared/address";
import { showAdd } from "../shared/add";
import { deviceName, suggestedName } from "../shared/device";
import { h, nameOf, say, show } from "../shared/dom";
import { type Asked, type Handed, wayBack } from "../shared/former";
import { Alerts, button, formOf, requestIdOf, submitButton } from "../shared/form";
import { explain, reasonOf } from "../shared/refusals";
import { Registration } from "../shared/registration";
import { bySession, signInService } from "../shared/session";
import { tellTabs } from "../shared/tabs";
import { isOn, makesConditionally, useCredential } from "../shared/webauthn";
import { text, textWith } from "../shared/words";

/** The longest time for a passkey that the browser makes without asking. */
const CONDITIONAL_MILLISECONDS = 10_000;

/** Whether this page, on the domain of the RP ID, can go on with a sign-in of that origin, a setting of the server. */
export const isKnown = ({ rpId, from }: Asked) => isOn(rpId) && isOwn(from);

/** Uses the passkey at this old address, and goes back with the signed challenge. */
export function openAtFormer({ rpId, challenge, userVerification, from }: Asked): void {
  // A reload leads to the present address.
  history.replaceState(null, "", location.pathname);
  const alerts = new Alerts();
  const use = submitButton(text("confirm.button"));
  const options = { rpId, challenge, userVerification, allowCredentials: [] };
  const submit = async () => {
    alerts.clear();
    say(text("signIn.asking"));
    try {
      location.replace(wayBack(from, await useCredential(options, new AbortController().signal)));
    } catch (error) {
      alerts.tell(explain(error, { by: "signIn" }));
    }
  };
  const back = button(text("signIn.back"), () => location.replace(wayBack(from)));
  const host = h("strong", {}, nameOf(new URL(from).host));
  show(
    text("former.title", { domain: rpId }),
    h("p", { class: "lead" }, ...textWith("former.lead", { host })),
    formOf(use, submit, alerts.element, h("div", { class: "actions" }, use, back)),
  );
}

/** Signs in with the passkey that the old address has used; `next` goes on afterwards, `again` after a refusal. */
export async function completeHanded(
  { rpId }: Handed,
  credential: JsonObject,
  next: () => Promise<void>,
  again: () => void,
): Promise<void> {
  show(text("provider.returned"));
  say(text("signIn.completing"));
  let userId: string;
  try {
    const request = { publicKeyCredential: credential, deviceName: deviceName() };
    userId = (await signInService.completePasskeySignIn(request)).userId;
  } catch (error) {
    showRefused(error, again);
    return;
  }
  tellTabs("signed-in");
  await offerMove(userId, rpId, next);
}

/** Shows why the passkey of the old address does not sign in here. */
export function showRefused(error: unknown, again: () => void): void {
  const refusal = explain(error, { by: "signIn" });
  const actions = h("div", { class: "actions" }, button(text("signIn.back"), again, "primary"));
  show(refusal.title, h("p", {}, refusal.text), requestIdOf(refusal), actions);
}

/** After a sign-in with a passkey of a former domain: makes one of the new domain, if the person wants it. */
export async function offerMove(userId: string, formerRpId: string, next: () => Promise<void>): Promise<void> {
  if (await madeConditionally(userId)) {
    await next();
    return;
  }
  const goOn = () => void next();
  const domains = { former: h("strong", {}, nameOf(formerRpId)), domain: h("strong", {}, nameOf(location.host)) };
  showAdd(
    {
      by: "session",
      title: text("move.title"),
      lead: textWith("move.lead", domains),
      introduction: [text("add.introduction")],
      registration: new Registration(userId, () => bySession.passkeys.registerPasskey({ userId })),
      added: goOn,
      ended: goOn,
      cancel: text("move.later"),
      cancelled: goOn,
    },
    new AbortController().signal,
  );
}

/** Whether the browser has made a passkey without asking; some do right after a sign-in with a password manager. */
async function madeConditionally(userId: string): Promise<boolean> {
  if (!(await makesConditionally())) return false;
  const begin = () => bySession.passkeys.registerPasskey({ userId, conditional: true });
  const registration = new Registration(userId, begin, "conditional");
  try {
    await registration.run(suggestedName(), AbortSignal.timeout(CONDITIONAL_MILLISECONDS), () => {});
    return true;
  } catch (error) {
    console.debug("the browser made no passkey by itself", reasonOf(error) || error);
    return false;
  }
}
