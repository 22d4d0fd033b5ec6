/**
 * What a person sees who has an access token: its passkeys, to add, rename and remove.
 *
 * The token is kept in this module's closures alone, and is gone with the tab or by signing out.
 */

import type { User } from "../gen/keystead/user/v1/user_service_pb";
import { showAdd } from "../shared/add";
import { allPasskeys, as, type PasskeyList, passkeyService, userService } from "../shared/api";
import { type Child, h, nameOf, say, sayDone, show } from "../shared/dom";
import { Alerts, busy, button, field, submitButton } from "../shared/form";
import { cardOf, type Changes } from "../shared/passkey_card";
import { explain, explained, type Refusal } from "../shared/refusals";
import { Registration } from "../shared/registration";
import { describeAccount, obstacle } from "../shared/webauthn";

const TOKEN = /^kst_[0-9A-Za-z_-]+$/;

/** The form that asks for the token; with what was to be told about the one before. */
export function showSignIn(signal: AbortSignal, told?: Refusal): void {
  const token = field("Access token", "It begins with kst_ and is kept only until you sign out or close this tab.", {
    type: "password",
    name: "token",
    autocomplete: "off",
  });
  const alerts = new Alerts();
  const signIn = submitButton("Show my passkeys");
  const form = h(
    "form",
    { novalidate: true },
    token.element,
    alerts.element,
    h("div", { class: "actions" }, signIn),
  );
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    void busy(signIn, () => submit());
  });
  show(
    "Your passkeys",
    h("p", {}, "Did you get a link to add a passkey? Open it from the mail. To see the passkeys that you have, enter an access token."),
    form,
  );
  if (told) alerts.tell(told);

  async function submit(): Promise<void> {
    const given = token.input.value.trim();
    alerts.clear();
    token.refuse(TOKEN.test(given) ? "" : "Enter a token that begins with kst_.");
    if (!TOKEN.test(given)) return;
    say("Signing in…");
    try {
      const { user } = await userService.getCurrentUser({}, as(given));
      if (user && !signal.aborted) await new Account(user, given, signal).open();
    } catch (error) {
      if (!signal.aborted) alerts.tell(explain(error, { by: "token" }));
    }
  }
}

/** The passkeys of one user, who is signed in. */
class Account {
  readonly #alerts = new Alerts();
  #isSignedOut = false;

  constructor(
    private readonly user: User,
    private readonly token: string,
    private readonly signal: AbortSignal,
  ) {}

  /** Shows the list as it is now, and what has led to it. @throws ConnectError */
  async open(...news: Child[]): Promise<void> {
    const list = await allPasskeys(this.user.userId, this.token);
    const { passkeys } = list;
    if (this.#isOver) return;
    void this.#signal(list);
    this.#alerts.clear();
    const { displayName, userName } = this.user;
    show(
      "Your passkeys",
      h(
        "div",
        { class: "account" },
        h("p", {}, "Signed in as ", h("strong", {}, nameOf(displayName || userName))),
        button("Sign out", () => this.#signOut(), "quiet"),
      ),
      this.#alerts.element,
      passkeys.length === 0 && h("p", { class: "empty" }, "You have no passkeys yet."),
      h("ul", { class: "cards", "aria-label": "Passkeys" }, ...passkeys.map((each) => cardOf(each, this.#changes(), passkeys.length === 1))),
      h("div", { class: "actions" }, button("Add a passkey", () => this.#add(), "primary")),
    );
    if (news.length > 0) sayDone(...news);
  }

  /** Has providers offer the passkeys that are left, under the name that the user has now. */
  async #signal({ passkeys, userHandle, rpId }: PasskeyList): Promise<void> {
    const { userName, displayName } = this.user;
    const accepted = passkeys.filter((each) => each.rpId === rpId).map(({ credentialId }) => credentialId);
    await describeAccount({
      rpId,
      userId: userHandle,
      name: userName,
      displayName,
      allAcceptedCredentialIds: accepted,
    });
  }

  #changes(): Changes {
    const { userId } = this.user;
    return {
      rename: async (passkeyId, name) => {
        await passkeyService.renamePasskey({ userId, passkeyId, name }, as(this.token));
        await this.#reopen("Renamed to “", nameOf(name), "”.");
      },
      remove: async (passkeyId, name) => {
        await passkeyService.removePasskey({ userId, passkeyId }, as(this.token));
        await this.#reopen("“", nameOf(name), "” was removed.");
      },
      missing: () => this.#reopen("This passkey was removed in the meantime."),
      ended: (refusal) => this.#end(refusal),
    };
  }

  #add(): void {
    const { userId } = this.user;
    const hindered = obstacle();
    if (hindered) {
      this.#alerts.tell(explained(hindered));
      return;
    }
    showAdd(
      {
        by: "token",
        introduction: ["It is made by this device, by a security key, or by your password manager; you choose next."],
        registration: new Registration(userId, () => passkeyService.registerPasskey({ userId }, as(this.token))),
        added: (name) => void this.#reopen("“", nameOf(name), "” was added."),
        ended: (refusal) => this.#end(refusal),
        cancelled: () => void this.#reopen(),
      },
      this.signal,
    );
  }

  async #reopen(...news: Child[]): Promise<void> {
    try {
      await this.open(...news);
    } catch (error) {
      if (this.#isOver) return;
      const refusal = explain(error, { by: "token" });
      if (refusal.isEnd) this.#end(refusal);
      else this.#offerAgain(refusal, news);
    }
  }

  #offerAgain(refusal: Refusal, news: Child[]): void {
    const again = button("Try again", () => void busy(again, () => this.#reopen(...news)), "primary");
    const done = news.length > 0 && h("p", {}, ...news);
    show("Your passkeys", done, this.#alerts.element, h("div", { class: "actions" }, again));
    this.#alerts.tell(refusal);
  }

  /** What was called before may still be answered, and must not bring back what is gone. */
  get #isOver(): boolean {
    return this.#isSignedOut || this.signal.aborted;
  }

  #signOut(): void {
    this.#isSignedOut = true;
    showSignIn(this.signal);
    say("You are signed out. The token itself stays valid until it expires or is revoked.");
  }

  #end(refusal: Refusal): void {
    if (this.#isOver) return;
    this.#isSignedOut = true;
    showSignIn(this.signal, refusal);
  }
}
