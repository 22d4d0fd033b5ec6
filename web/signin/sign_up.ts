/** Sign-up: the request for a link by mail, and the account that the link creates. */

import { h, show } from "../shared/dom";
import { Alerts, field, formOf, submitButton } from "../shared/form";
import { keptReturn } from "../shared/kept_return";
import { explain } from "../shared/refusals";
import { decoded } from "../shared/request";
import { signInService } from "../shared/session";
import { text } from "../shared/words";
import { showEnd } from "./ends";
import { openMailForm } from "./mail_form";

const GIVEN = "#sign-up=";

/** Shows the form; `previous` shows the previous view. `hint` may be the address. */
export function openSignUp(orgId: string, previous: () => void, hint = ""): void {
  const name = field(text("signUp.name"), text("signUp.nameHint"), {
    name: "name",
    autocomplete: "name",
    "aria-required": "false",
  });
  openMailForm(
    {
      title: "signUp.title",
      introduction: "signUp.introduction",
      addressHint: "signUp.addressHint",
      hint,
      further: name,
      send: (email) =>
        signInService.requestSignUp({ orgId, email, displayName: name.input.value.trim(), returnTo: keptReturn() }),
      sent: "signUp.sent",
      next: ["signUp.open", "signUp.noMail"],
    },
    previous,
  );
}

/** The token of a mailed link, which leaves the address; undefined without one. */
export function takeSignUp(): string | undefined {
  const { hash, pathname, search } = location;
  if (!hash.startsWith(GIVEN)) return undefined;
  history.replaceState(null, "", pathname + search);
  return decoded(hash.slice(GIVEN.length));
}

/** Asks before the account is created: a program that looks into mails may open the link, too. */
export function openConfirmation(signUpToken: string): void {
  const alerts = new Alerts();
  const submit = submitButton(text("signUp.confirm"));
  const confirm = async () => {
    alerts.clear();
    try {
      const { link } = await signInService.confirmSignUp({ signUpToken });
      location.assign(link);
    } catch (error) {
      const refusal = explain(error, { by: "signIn" });
      if (refusal.isEnd) showEnd(refusal);
      else alerts.tell(refusal);
    }
  };
  const form = formOf(submit, confirm, alerts.element, h("div", { class: "actions" }, submit));
  show(text("signUp.confirmTitle"), h("p", { class: "lead" }, text("signUp.confirmText")), form);
}
