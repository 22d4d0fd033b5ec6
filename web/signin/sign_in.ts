/** The sign-in with a passkey, by autofill or by the button, or with an identity provider. */

import type { JsonObject } from "@bufbuild/protobuf";
import { properLink } from "../shared/address";
import { deviceName } from "../shared/device";
import { type Child, h, say, show } from "../shared/dom";
import { Alerts, busy, button, formOf, requestIdOf, submitButton } from "../shared/form";
import { type FormerRelyingParty, useFormer } from "../shared/former";
import { keptReturn, returnNote } from "../shared/kept_return";
import { organization } from "../shared/organization";
import { explain, explained, reasonOf } from "../shared/refusals";
import { type Farewell, goOn, signInService } from "../shared/session";
import { keepsCookies } from "../shared/storage";
import { tellTabs } from "../shared/tabs";
import { disown, hideOthers, obstacle, useCredential } from "../shared/webauthn";
import { text, type TextKey } from "../shared/words";
import { type Application, applicationOf } from "./application";
import { Autofill } from "./autofill";
import { Challenge } from "./challenge";
import { Discovery } from "./discovery";
import { Federation } from "./federation";
import { offerMove } from "./former";
import { openRecovery, showNoRecovery } from "./recovery";
import { openSignUp } from "./sign_up";

const FAREWELLS: Readonly<Record<Farewell, TextKey>> = {
  "signed-out": "signIn.signedOut",
  ended: "signIn.ended",
};

/** The application for which the person signs in. */
export interface Purpose {
  readonly application: Application;
  /** Whether a session at an identity provider does not suffice. */
  readonly reauthenticate: boolean;
  /** Refuses the request of the application. @throws ConnectError */
  readonly cancel: () => Promise<void>;
  /** Goes on with the request; shows errors itself. */
  readonly signedIn: () => Promise<void>;
}

/** Shows the sign-in, or why nobody can sign in here. Without a `purpose`, it leads to the account. */
export function openSignIn(purpose?: Purpose): void {
  const hindered = obstacle();
  if (!hindered && keepsCookies()) {
    new SignIn(purpose).open();
    return;
  }
  const refusal = explained(hindered ?? "COOKIES_BLOCKED", "signIn");
  const alerts = new Alerts();
  const reauthenticate = purpose?.reauthenticate ?? false;
  const federation = new Federation(alerts, organizationFor(purpose), reauthenticate);
  const hint = purpose?.application.loginHint ?? "";
  show(
    refusal.title,
    h("p", {}, refusal.text),
    requestIdOf(refusal),
    properLink(),
    alerts.element,
    hindered && new Discovery(alerts, federation, reauthenticate, hint).element,
    federation.element,
    purpose && cancelOf(purpose, alerts),
  );
  if (hindered) void federation.load();
}

class SignIn {
  readonly #challenge = new Challenge();
  readonly #alerts = new Alerts();
  readonly #federation: Federation;
  readonly #discovery: Discovery;
  /** The buttons for former domains, after an attempt with the present one. */
  readonly #former = h("div");
  readonly #button = submitButton(text("signIn.button"));
  readonly #autofill = new Autofill(this.#challenge, (credential) => {
    void busy(this.#button, () => this.#attempt(async () => credential));
  });

  constructor(private readonly purpose: Purpose | undefined) {
    const reauthenticate = purpose?.reauthenticate ?? false;
    this.#federation = new Federation(this.#alerts, organizationFor(purpose), reauthenticate, () => this.#signUp());
    const hint = purpose?.application.loginHint ?? "";
    const leaving = () => this.#autofill.stop();
    this.#discovery = new Discovery(this.#alerts, this.#federation, reauthenticate, hint, leaving);
  }

  open(): void {
    const form = formOf(
      this.#button,
      () => this.#attempt((options) => this.#ask(options)),
      this.#alerts.element,
      h("div", { class: "actions" }, this.#button),
      this.#former,
      this.#discovery.element,
    );
    const farewell = readFarewell();
    const page = keptReturn();
    show(
      text("signIn.title"),
      this.purpose && applicationOf(this.purpose.application),
      h("p", { class: "lead" }, text("signIn.introduction")),
      !this.purpose && page !== "" && h("p", { class: "lead" }, ...returnNote(page)),
      farewell && h("p", { class: "notice" }, text(FAREWELLS[farewell])),
      form,
      this.#federation.element,
      button(text("signIn.lost"), () => this.#recover()),
      this.purpose && cancelOf(this.purpose, this.#alerts),
      help(),
    );
    void this.#autofill.start();
    void this.#federation.load();
  }

  #recover(): void {
    this.#autofill.stop();
    this.#alerts.clear();
    const open = this.#federation.allowsRecovery ? openRecovery : showNoRecovery;
    open(() => this.open(), this.purpose?.application.loginHint);
  }

  #signUp(): void {
    this.#autofill.stop();
    this.#alerts.clear();
    openSignUp(organizationFor(this.purpose), () => this.open(), this.purpose?.application.loginHint);
  }

  #ask(options: JsonObject): Promise<JsonObject> {
    say(text("signIn.asking"));
    return useCredential(options, new AbortController().signal);
  }

  /** One attempt with the credential that `choose` returns; after an error, autofill begins again. */
  async #attempt(choose: (options: JsonObject) => Promise<JsonObject>): Promise<void> {
    this.#autofill.stop();
    this.#alerts.clear();
    say(text("signIn.preparing"));
    try {
      const options = await this.#challenge.options();
      await this.#complete(await choose(options), options["rpId"] as string);
    } catch (error) {
      this.#refused(error);
    }
  }

  #refused(error: unknown): void {
    this.#former.replaceChildren(...this.#challenge.former.map((each) => this.#formerOf(each)));
    this.#alerts.tell(explain(error, { by: "signIn" }));
    void this.#autofill.start();
  }

  #formerOf(former: FormerRelyingParty): HTMLElement {
    const domain = former.rpId;
    const use = async () => {
      this.#autofill.stop();
      this.#alerts.clear();
      say(text("signIn.asking"));
      try {
        const credential = await useFormer(former);
        if (credential) await this.#complete(credential, domain);
      } catch (error) {
        this.#refused(error);
      }
    };
    const pressed = button(text("former.button", { domain }), () => void busy(pressed, use));
    return h("div", { class: "former" }, h("p", { class: "hint" }, text("former.hint", { domain })), pressed);
  }

  async #complete(credential: JsonObject, rpId: string): Promise<void> {
    say(text("signIn.completing"));
    this.#challenge.forget();
    let userId: string;
    try {
      const request = { publicKeyCredential: credential, deviceName: deviceName() };
      const signedIn = await signInService.completePasskeySignIn(request);
      ({ userId } = signedIn);
      await hideOthers(rpId, signedIn.userHandle, signedIn.acceptedCredentialIds);
    } catch (error) {
      // The provider deletes the passkey permanently, so only if the server certainly lacks it.
      if (reasonOf(error) === "PASSKEY_UNKNOWN") await disown(rpId, credential);
      throw error;
    }
    tellTabs("signed-in");
    if (this.#challenge.former.some((each) => each.rpId === rpId)) {
      await offerMove(userId, rpId, () => this.#goOn());
    } else await this.#goOn();
  }

  async #goOn(): Promise<void> {
    if (this.purpose) await this.purpose.signedIn();
    else await goOn();
  }
}

function help(): HTMLElement {
  const answers = (["signIn.helpPhone", "signIn.helpFirst"] as const).map((key) => h("li", {}, text(key)));
  return h("details", {}, h("summary", {}, text("signIn.help")), h("ul", { class: "next" }, ...answers));
}

function organizationFor(purpose: Purpose | undefined): string {
  return purpose?.application.orgId || organization();
}

/** The button that leads back to the application without a sign-in. */
function cancelOf({ cancel }: Purpose, alerts: Alerts): Child {
  const pressed = button(text("request.back"), () => {
    void busy(pressed, async () => {
      try {
        await cancel();
      } catch (error) {
        alerts.tell(explain(error, { by: "request" }));
      }
    });
  });
  return pressed;
}

/** The reason in the fragment of the address, which is removed: a reload does not show it again. */
function readFarewell(): Farewell | undefined {
  const said = location.hash.slice(1);
  if (!(said in FAREWELLS)) return undefined;
  history.replaceState(null, "", location.pathname + location.search);
  return said as Farewell;
}
