/** A request of an application from its arrival on this page to the way back. */

import type { User } from "../gen/keystead/user/v1/user_service_pb";
import { showBrandOf } from "../shared/brand";
import { alertOf, Alerts, busy, button, formOf, requestIdOf, submitButton } from "../shared/form";
import { type Child, h, nameOf, say, show } from "../shared/dom";
import { takesDeliberatePresses } from "../shared/deliberate";
import { goToProvider } from "../shared/flow";
import { translate } from "../shared/page";
import { oauthService } from "../shared/oauth";
import { explain, explained, reasonOf } from "../shared/refusals";
import { keepRequest, type SealedRequest } from "../shared/request";
import { extentOf, requestInWords } from "../shared/scopes";
import { bySession, sessionService } from "../shared/session";
import { providerOfSession, reauthenticate } from "../shared/step_up";
import { onNews, tellTabs } from "../shared/tabs";
import { loadTexts, text, textWith } from "../shared/words";
import { type Application, accountOf, applicationOf, shownName, warningOf } from "./application";
import { showEnd } from "./ends";
import { openSignIn } from "./sign_in";
import { goToApplication, showInvalid } from "./way_back";

const CIRCUMSTANCES = { by: "request", step: "confirming" } as const;
const SIGNED_OUT = "UNAUTHENTICATED";
/** The errors for applications that do not want the person to see a page (`prompt=none`). */
const SILENT: ReadonlyMap<string, string> = new Map([
  [SIGNED_OUT, "login_required"],
  ["SIGN_IN_REQUIRED", "login_required"],
  ["ANOTHER_ACCOUNT_REQUIRED", "login_required"],
  ["PASSKEY_REQUIRED", "unmet_authentication_requirements"],
  ["CONSENT_REQUIRED", "consent_required"],
  ["APPLICATION_NOT_ALLOWED", "interaction_required"],
  ["EMAIL_REQUIRED", "interaction_required"],
]);

/** The errors after which only another account helps, or an administrator. */
const OF_ACCOUNTS: readonly string[] = ["ANOTHER_ACCOUNT_REQUIRED", "APPLICATION_NOT_ALLOWED", "EMAIL_REQUIRED"];

/** A button: its label, and what it does. Errors appear in the alerts of the view. */
type Answer = readonly [label: string, work: (alerts: Alerts) => Promise<void>];

interface Question {
  readonly title: string;
  readonly content: readonly Child[];
  readonly submit: Answer;
  /** Label of the button that refuses the request, and the error that the application gets. */
  readonly refuse?: readonly [label: string, error: string];
  readonly others?: readonly Answer[];
}

/** Goes on with the request; asks the person whatever the server asks for. */
export async function openAuthorization(request: SealedRequest): Promise<void> {
  try {
    const application = await oauthService.describeAuthorization({ sealedRequest: request.sealed });
    await Promise.all([loadTexts(application.uiLocales.split(" ")), showBrandOf(application.orgId)]);
    translate();
    await new Authorization(request, application).begin();
  } catch (error) {
    offerAgain(error, () => openAuthorization(request));
  }
}

class Authorization {
  readonly #leaving = new AbortController();
  #user: User | undefined;

  constructor(
    private request: SealedRequest,
    private readonly application: Application,
  ) {
    // The session of this browser may now be another user's: nobody approves for an account that is not shown.
    onNews(() => location.reload(), this.#leaving.signal);
  }

  /** Approves the request, or shows the first question. @throws ConnectError */
  async begin(): Promise<void> {
    const { prompts, error } = this.application;
    if (prompts.includes("none")) return this.#approveSilently();
    this.#user = await currentUser();
    if (!this.#user && error) showInvalid(await this.#denied(), this.application);
    else if (!this.#user) this.#signIn();
    else if (prompts.includes("select_account") && !this.request.isChosen) this.#askForAccount(this.#user);
    else await this.#approve(false);
  }

  async #beginAgain(): Promise<void> {
    try {
      await this.begin();
    } catch (error) {
      offerAgain(error, () => this.#beginAgain());
    }
  }

  async #approveSilently(): Promise<void> {
    try {
      this.#leave(await this.#approved(false));
    } catch (error) {
      const answer = SILENT.get(reasonOf(error));
      if (!answer) throw error;
      await this.#deny(answer);
    }
  }

  async #approve(consents: boolean): Promise<void> {
    try {
      this.#leave(await this.#approved(consents));
    } catch (error) {
      await this.#ask(error, consents);
    }
  }

  async #approved(consents: boolean): Promise<string> {
    const sealedRequest = this.request.sealed;
    return (await oauthService.approveAuthorization({ sealedRequest, consents })).redirectUri;
  }

  /** Asks the person for what the approval lacks. @throws the error, if it is another one */
  async #ask(error: unknown, consents: boolean): Promise<void> {
    const reason = reasonOf(error);
    const user = this.#user;
    if (reason === SIGNED_OUT || !user) this.#signIn();
    else if (reason === "CONSENT_REQUIRED") this.#askForConsent(user);
    else if (reason === "SIGN_IN_REQUIRED" || reason === "PASSKEY_REQUIRED")
      await this.#askToSignIn(user, reason, consents);
    else if (OF_ACCOUNTS.includes(reason)) this.#tellOfAccount(user, error);
    else throw error;
  }

  #signIn(reauthenticate = this.application.prompts.includes("login")): void {
    this.#choose();
    openSignIn({
      application: this.application,
      reauthenticate,
      cancel: () => this.#deny(),
      signedIn: () => this.#beginAgain(),
    });
  }

  /** The person has chosen an account, or does so by signing in; a reload does not ask again. */
  #choose(): void {
    this.request = { ...this.request, isChosen: true };
    keepRequest(this.request);
  }

  #askForAccount(user: User): void {
    const goOn = async () => {
      this.#choose();
      await this.#approve(false);
    };
    this.#question({
      title: text("request.chooseTitle"),
      content: [accountOf(user)],
      submit: [text("request.continue"), goOn],
      others: [this.#another()],
    });
  }

  #askForConsent(user: User): void {
    const { scopes, resources } = this.application;
    const lead = h(
      "p",
      { class: "lead" },
      ...textWith("request.consent", { name: nameOf(shownName(this.application)) }),
    );
    const list = h("ul", { class: "next" }, ...requestInWords(scopes, resources).map((words) => h("li", {}, ...words)));
    const allow = async () => {
      if ((await currentUser())?.userId === user.userId) await this.#approve(true);
      else location.reload(); // the session is another user's
    };
    this.#question({
      title: text("request.consentTitle"),
      content: [accountOf(user), warningOf(this.application), lead, list, ...extentOf(scopes, resources)],
      submit: [text("request.allow"), allow],
      others: [this.#another()],
    });
  }

  /** `consents` is the answer that the person has given before. @throws ConnectError */
  async #askToSignIn(user: User, reason: "SIGN_IN_REQUIRED" | "PASSKEY_REQUIRED", consents: boolean): Promise<void> {
    const byPasskey = reason === "PASSKEY_REQUIRED";
    const idpId = byPasskey ? "" : await providerOfSession();
    const name = nameOf(shownName(this.application));
    const lead = h("p", { class: "lead" }, ...textWith(byPasskey ? "request.passkey" : "request.again", { name }));
    const confirm = async (alerts: Alerts) => {
      say(text("signIn.asking"));
      await reauthenticate();
      say();
      try {
        this.#leave(await this.#approved(consents));
      } catch (error) {
        // The passkey has not sufficed: the same question would not say why.
        if (reasonOf(error) === reason) alerts.tell(explained("PASSKEY_REQUIRED", "request"));
        else await this.#ask(error, consents);
      }
    };
    const passkey: Answer = [text("confirm.button"), confirm];
    const provider: Answer = [text("confirm.provider"), () => goToProvider(idpId, {}, true)];
    const otherwise: Answer = [text("request.otherwise"), async () => this.#signIn(true)];
    this.#question({
      title: text("confirm.title"),
      content: [accountOf(user), lead],
      submit: idpId ? provider : passkey,
      refuse: [text("cancel"), byPasskey ? "unmet_authentication_requirements" : ""],
      others: [...(idpId ? [passkey] : []), ...(byPasskey ? [] : [otherwise]), this.#another()],
    });
  }

  #tellOfAccount(user: User, error: unknown): void {
    const refusal = explain(error, CIRCUMSTANCES);
    this.#question({
      title: refusal.title,
      content: [accountOf(user), h("p", {}, refusal.text), requestIdOf(refusal)],
      submit: this.#another(),
      refuse: [text("request.back"), ""],
    });
  }

  #another(): Answer {
    return [
      text("request.another"),
      async () => {
        try {
          await sessionService.signOut({});
        } catch (error) {
          if (reasonOf(error) !== SIGNED_OUT) throw error;
        }
        tellTabs("signed-out");
        this.#signIn();
      },
    ];
  }

  #question({ title, content, submit, refuse = [text("cancel"), ""], others = [] }: Question): void {
    const alerts = new Alerts();
    const answer = async (work: Answer[1]) => {
      alerts.clear();
      try {
        await work(alerts);
      } catch (error) {
        const refusal = explain(error, CIRCUMSTANCES);
        if (reasonOf(error) === SIGNED_OUT) this.#signIn();
        else if (refusal.isEnd) showEnd(refusal);
        else alerts.tell(refusal);
      }
    };
    const buttonOf = ([label, work]: Answer) => {
      const pressed = button(label, () => void busy(pressed, () => answer(work)));
      return pressed;
    };
    const primary = submitButton(submit[0]);
    takesDeliberatePresses(primary, this.#leaving.signal);
    const refusing = buttonOf([refuse[0], () => this.#deny(refuse[1])]);
    const actions = h("div", { class: "actions" }, primary, refusing);
    const form = formOf(primary, () => answer(submit[1]), alerts.element, actions);
    form.className = "decision";
    show(title, applicationOf(this.application), ...content, form, ...others.map(buttonOf));
  }

  async #deny(error = ""): Promise<void> {
    this.#leave(await this.#denied(error));
  }

  async #denied(error = ""): Promise<string> {
    const sealedRequest = this.request.sealed;
    return (await oauthService.denyAuthorization({ sealedRequest, error })).redirectUri;
  }

  #leave(redirectUri: string): void {
    this.#leaving.abort();
    goToApplication(redirectUri, this.application);
  }
}

async function currentUser(): Promise<User | undefined> {
  try {
    return (await bySession.users.getCurrentUser({})).user;
  } catch (error) {
    if (reasonOf(error) === SIGNED_OUT) return undefined;
    throw error;
  }
}

/** Shows an error with a button that repeats the work, unless the request has ended with it. */
function offerAgain(error: unknown, work: () => Promise<void>): void {
  const refusal = explain(error, CIRCUMSTANCES);
  if (refusal.isEnd) {
    showEnd(refusal);
    return;
  }
  const again = button(text("tryAgain"), () => void busy(again, work), "primary");
  show(text("signIn.title"), alertOf(refusal), h("div", { class: "actions" }, again));
}
