/** The buttons for sign-in with the identity providers of an organization, and for sign-up, loaded after the rest of the page. */

import type { IDPOption } from "../gen/keystead/signin/v1/signin_service_pb";
import { h } from "../shared/dom";
import { type Alerts, alertOf, busy, button } from "../shared/form";
import { goToProvider } from "../shared/flow";
import { providerButton, type ProviderPage, providersOf } from "../shared/providers";
import { explain } from "../shared/refusals";
import { text } from "../shared/words";

const BY = { by: "provider" } as const;

export class Federation {
  readonly element = h("div");
  /** Whether people may recover by mail, as far as the page knows. */
  allowsRecovery = true;
  readonly #list = h("ul", { class: "providers" });
  readonly #rest = h("div");
  readonly #signUp = h("div", { class: "sign-up" });

  constructor(
    private readonly alerts: Alerts,
    private orgId: string,
    /** Whether a session at a provider does not suffice. */
    private readonly reauthenticate: boolean,
    /** Opens the sign-up. */
    private readonly signUp?: () => void,
  ) {}

  /** Loads a page of providers and shows their buttons, or an error. */
  async load(pageToken = ""): Promise<void> {
    try {
      this.#show(await providersOf(this.orgId, pageToken));
    } catch (error) {
      const again = button(text("tryAgain"), () => void busy(again, () => this.load(pageToken)));
      this.#rest.replaceChildren(alertOf(explain(error, BY)), h("div", { class: "actions" }, again));
      this.element.append(this.#rest);
    }
  }

  /** Shows the providers of another organization. @returns whether it has any */
  async showOf(orgId: string): Promise<boolean> {
    this.orgId = orgId;
    this.#list.replaceChildren();
    await this.load();
    const first = this.#list.querySelector("button");
    first?.focus();
    return first !== null;
  }

  #show({ idps, nextPageToken, allowsSignUp, allowsMailRecovery }: ProviderPage): void {
    this.allowsRecovery = allowsMailRecovery;
    const buttons = idps.map((each) =>
      providerButton(each, "provider.signIn", (pressed) => void busy(pressed, () => this.#go(each))),
    );
    this.#list.append(...buttons.map((each) => h("li", {}, each)));
    const more = button(text("provider.more"), () => void busy(more, () => this.load(nextPageToken)));
    this.#rest.replaceChildren(...(nextPageToken ? [h("div", { class: "actions" }, more)] : []));
    const any = this.#list.childElementCount > 0;
    if (allowsSignUp && this.signUp) this.#signUp.replaceChildren(button(text("signUp.title"), this.signUp));
    this.element.replaceChildren(
      ...(any ? [h("p", { class: "or" }, text("provider.or")), this.#list, this.#rest] : []),
      this.#signUp,
    );
  }

  async #go({ idpId }: IDPOption): Promise<void> {
    this.alerts.clear();
    try {
      await goToProvider(idpId, { orgId: this.orgId }, this.reauthenticate);
    } catch (error) {
      this.alerts.tell(explain(error, BY));
    }
  }
}
