/**
 * The field for an account: browsers offer their passkeys in it, and a mail address that is entered leads to the identity
 * provider of the organization that has proven its domain.
 */

import { h, say } from "../shared/dom";
import { type Alerts, busy, button, field, type Field } from "../shared/form";
import { goToProvider } from "../shared/flow";
import { explain, isRefused } from "../shared/refusals";
import { signInService } from "../shared/session";
import { text } from "../shared/words";
import type { Federation } from "./federation";

export class Discovery {
  /** It looks like a link until it is used (`style.css`). */
  readonly element: HTMLElement;
  readonly #field: Field;
  readonly #continue = button(text("discovery.continue"), () => void busy(this.#continue, () => this.#discover()), "");

  constructor(
    private readonly alerts: Alerts,
    private readonly federation: Federation,
    /** Whether a session at a provider does not suffice. */
    private readonly reauthenticate: boolean,
    /** The address, or another text. */
    hint: string,
    /** Ends the offer of passkeys, before the page is left. */
    private readonly leaving: () => void = () => {},
  ) {
    this.#field = field(text("signIn.account"), text("signIn.accountHint"), {
      name: "username",
      autocomplete: "username webauthn",
      inputmode: "email",
      placeholder: " ",
      "aria-required": "false",
      value: hint,
    });
    const { element, input } = this.#field;
    element.classList.add("autofill");
    const offer = () => (this.#continue.hidden = !input.value.includes("@"));
    input.addEventListener("input", offer);
    // Enter would ask for a passkey, as the form of the field does.
    input.addEventListener("keydown", (event) => {
      if (event.key !== "Enter" || event.isComposing || this.#continue.hidden) return;
      event.preventDefault();
      this.#continue.click();
    });
    offer();
    this.element = h("div", { class: "discovery" }, element, this.#continue);
  }

  async #discover(): Promise<void> {
    const [, domain = "", ...more] = this.#field.input.value.trim().split("@");
    this.alerts.clear();
    this.#field.refuse("");
    if (!domain || more.length > 0) return this.#field.refuse(text("mailForm.noAddress"));
    say(text("discovery.looking"));
    try {
      const { orgId, idp } = await signInService.getSignInDomain({ domain });
      if (!orgId) return this.#field.refuse(text("discovery.none"));
      this.leaving();
      if (idp) await goToProvider(idp.idpId, { orgId }, this.reauthenticate);
      else await this.#choose(orgId);
    } catch (error) {
      if (isRefused(error, "domain")) this.#field.refuse(text("mailForm.noAddress"));
      else this.alerts.tell(explain(error, { by: "provider" }));
    }
  }

  async #choose(orgId: string): Promise<void> {
    if (await this.federation.showOf(orgId)) say(text("discovery.choose"));
    else this.#field.refuse(text("discovery.none"));
  }
}
