/**
 * The passkeys of the user of an access token: add, rename and remove.
 *
 * The token is kept in memory only, until the person signs out or closes the tab.
 */

import type { User } from "../gen/keystead/user/v1/user_service_pb";
import { type Access, withToken } from "../shared/api";
import { type Child, h, nameOf, say, sayDone, show } from "../shared/dom";
import { Alerts, busy, button, field, formOf, submitButton } from "../shared/form";
import { OwnPasskeys } from "../shared/own_passkeys";
import { explain, type Refusal } from "../shared/refusals";
import { onReturn } from "../shared/tabs";
import { text, textWith } from "../shared/words";

const TOKEN = /^kst_[0-9A-Za-z_-]+$/;

/** The form for the token; `told` is the refusal of the previous one. */
export function showSignIn(signal: AbortSignal, told?: Refusal): void {
  const token = field(text("token.label"), text("token.hint"), {
    type: "password",
    name: "token",
    autocomplete: "off",
  });
  const alerts = new Alerts();
  const signIn = submitButton(text("token.show"));
  const form = formOf(signIn, submit, token.element, alerts.element, h("div", { class: "actions" }, signIn));
  show(text("token.title"), h("p", {}, text("token.introduction")), form);
  if (told) alerts.tell(told);

  async function submit(): Promise<void> {
    const given = token.input.value.trim();
    alerts.clear();
    token.refuse(TOKEN.test(given) ? "" : text("token.malformed"));
    if (!TOKEN.test(given)) return;
    say(text("token.signingIn"));
    const access = withToken(given);
    try {
      const { user } = await access.users.getCurrentUser({});
      if (user && !signal.aborted) await new Account(user, access, signal).open();
    } catch (error) {
      if (!signal.aborted) alerts.tell(explain(error, { by: "token" }));
    }
  }
}

/** The passkeys of the user of the token. */
class Account {
  readonly #alerts = new Alerts();
  readonly #passkeys: OwnPasskeys;
  #isSignedOut = false;

  constructor(
    private readonly user: User,
    private readonly access: Access,
    private readonly signal: AbortSignal,
  ) {
    this.#passkeys = new OwnPasskeys(
      user,
      access,
      {
        by: "token",
        heading: "h2",
        change: (work) => work(),
        reopen: (...news) => this.#reopen(...news),
        ended: (refusal) => this.#end(refusal),
        tell: (refusal) => this.#alerts.tell(refusal),
      },
      signal,
    );
    onReturn(() => void this.#look(), signal);
  }

  /** Loads and shows the list, with `news` as the status. @throws ConnectError */
  async open(...news: Child[]): Promise<void> {
    const list = await this.#passkeys.load();
    if (this.#isOver) return;
    this.#alerts.clear();
    const { displayName, userName } = this.user;
    const name = h("strong", {}, nameOf(displayName || userName));
    show(
      text("token.title"),
      h(
        "div",
        { class: "account" },
        h("p", {}, ...textWith("token.signedInAs", { name })),
        button(text("signOut"), () => this.#signOut(), "quiet"),
      ),
      this.#alerts.element,
      list.passkeys.length === 0 && h("p", { class: "empty" }, text("passkeys.none")),
      h("ul", { class: "cards", "aria-label": text("passkeys.label") }, ...this.#passkeys.cards(list)),
      h(
        "div",
        { class: "actions" },
        button(text("passkeys.add"), () => this.#passkeys.add(), "primary"),
      ),
    );
    if (news.length > 0) sayDone(...news);
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
    const again = button(text("tryAgain"), () => void busy(again, () => this.#reopen(...news)), "primary");
    const done = news.length > 0 && h("p", {}, ...news);
    show(text("token.title"), done, this.#alerts.element, h("div", { class: "actions" }, again));
    this.#alerts.tell(refusal);
  }

  /** Whether a late response must not show this view again. */
  get #isOver(): boolean {
    return this.#isSignedOut || this.signal.aborted;
  }

  /** Checks that the token is still valid. Errors of the network change nothing. */
  async #look(): Promise<void> {
    if (this.#isOver) return;
    try {
      await this.access.users.getCurrentUser({});
    } catch (error) {
      const refusal = explain(error, { by: "token" });
      if (refusal.isEnd) this.#end(refusal);
    }
  }

  #signOut(): void {
    this.#isSignedOut = true;
    showSignIn(this.signal);
    say(text("token.signedOut"));
  }

  #end(refusal: Refusal): void {
    if (this.#isOver) return;
    this.#isSignedOut = true;
    showSignIn(this.signal, refusal);
  }
}
