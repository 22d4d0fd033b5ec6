/** The account of a signed-in user: passkeys, linked identity providers, applications, access tokens and sessions. */

import type { AttributeDefinition } from "../gen/keystead/attribute/v1/attribute_service_pb";
import type { Grant } from "../gen/keystead/application/v1/application_service_pb";
import type { Session } from "../gen/keystead/session/v1/session_service_pb";
import { Role, type Token, type User } from "../gen/keystead/user/v1/user_service_pb";
import type { PasskeyList } from "../shared/api";
import { showBrandOf } from "../shared/brand";
import { askToChange } from "../shared/dialog";
import { type Child, clear, h, nameOf, say, sayDone, show } from "../shared/dom";
import { Alerts, busy, button, submitButton } from "../shared/form";
import { rememberOrganization } from "../shared/organization";
import { OwnPasskeys } from "../shared/own_passkeys";
import { explain, reasonOf, type Refusal } from "../shared/refusals";
import { bySession, type Farewell, goToSignIn, sessionService } from "../shared/session";
import { confirmed } from "../shared/step_up";
import { onNews, onReturn, tellTabs } from "../shared/tabs";
import { text, textWith } from "../shared/words";
import { askToConfirm } from "./email_change";
import { Grants, type GrantsView } from "./grants";
import { type LinkList, Links } from "./links";
import { allGrants, allSessions, allTokens } from "./lists";
import { deviceCards } from "./session_card";
import { type ProfileView, profileSection } from "./profile";
import { tokenCards } from "./tokens";

const BY = { by: "session" } as const;
/** The roles of people who work in the console. */
const MANAGING: readonly Role[] = [
  Role.INSTANCE_OWNER,
  Role.ORG_OWNER,
  Role.ORG_USER_MANAGER,
  Role.ORG_HELP_DESK,
  Role.ORG_APPLICATION_MANAGER,
  Role.ORG_AUDITOR,
];

export class Home {
  readonly #alerts = new Alerts();
  readonly #leaving = new AbortController();
  readonly #passkeys: OwnPasskeys;
  readonly #links: Links;
  readonly #grants: Grants;
  readonly #profile: ProfileView = {
    reopen: (...news) => this.#reload(...news),
    refused: (error) => this.#refused(error),
    ended: () => this.#leave("ended"),
  };
  readonly #view: GrantsView = { reopen: (...news) => this.#reopen(...news), ended: () => this.#leave("ended") };

  private constructor(
    private user: User,
    private definitions: readonly AttributeDefinition[],
  ) {
    this.#passkeys = new OwnPasskeys(
      user,
      bySession,
      {
        ...BY,
        heading: "h3",
        change: confirmed,
        reopen: (...news) => this.#reopen(...news),
        ended: () => this.#leave("ended"),
        tell: (refusal) => this.#alerts.tell(refusal),
      },
      this.#leaving.signal,
    );
    this.#links = new Links(user, { ...this.#view, refused: (error) => this.#refused(error) });
    this.#grants = new Grants(user, this.#view);
    onNews((news) => this.#restart(news === "signed-in" ? undefined : news), this.#leaving.signal);
    onReturn(() => void this.#look(), this.#leaving.signal);
  }

  /** Shows the account of the session; without a session, goes to the sign-in page with the `farewell`. */
  static async open(farewell?: Farewell): Promise<void> {
    say(text("account.loading"));
    try {
      const { user, attributeDefinitions } = await bySession.users.getCurrentUser({});
      if (!user) return;
      const home = new Home(user, attributeDefinitions);
      await Promise.all([showBrandOf(user.details?.resourceOwner ?? ""), home.#show(...readNews())]);
      askToConfirm(user, home.#profile);
    } catch (error) {
      const refusal = explain(error, BY);
      if (refusal.isEnd) goToSignIn(farewell);
      else offerAgain(refusal, [], () => Home.open(farewell));
    }
  }

  /** Loads and shows the account, with `news` as the status. @throws ConnectError */
  async #show(...news: Child[]): Promise<void> {
    const [passkeys, links, grants, tokens, sessions] = await Promise.all([
      this.#passkeys.load(),
      this.#links.load(),
      allGrants(this.user.userId),
      allTokens(this.user.userId),
      allSessions(this.user.userId),
    ]);
    if (this.#leaving.signal.aborted) return;
    if (links.links.length > 0) rememberOrganization(this.user.details?.resourceOwner ?? "");
    this.#alerts.clear();
    show(
      text("account.title"),
      this.#whoIsSignedIn(),
      this.#alerts.element,
      profileSection(this.user, this.definitions, this.#profile),
      this.#passkeySection(passkeys, links),
      this.#linkSection(links, passkeys),
      this.#grantSection(grants),
      this.#tokenSection(tokens),
      this.#sessionSection(sessions),
    );
    if (news.length > 0) sayDone(...news);
  }

  #whoIsSignedIn(): HTMLElement {
    const { displayName, userName, roles } = this.user;
    const shown = displayName || userName;
    const isManager = roles.some((each) => MANAGING.includes(each));
    const signOut = button(text("signOut"), () => void busy(signOut, () => this.#signOut()));
    return h(
      "div",
      { class: "account" },
      h("span", { class: "avatar", "aria-hidden": "true" }, [...shown][0]?.toUpperCase()),
      h("p", {}, h("strong", {}, nameOf(shown)), shown !== userName && h("small", {}, nameOf(userName))),
      isManager && h("a", { href: "../console/" }, text("account.console")),
      signOut,
    );
  }

  #passkeySection(list: PasskeyList, { links }: LinkList): HTMLElement {
    const none = links.length > 0 ? "account.onlyProvidersHint" : "account.noPasskeysHint";
    const hint = ([none, "account.onePasskeyHint"] as const)[list.passkeys.length];
    const isUnmoved = list.passkeys.length > 0 && list.passkeys.every(({ rpId }) => rpId !== list.rpId);
    return section(
      text("passkeys.label"),
      isUnmoved ? text("account.formerHint", { domain: list.rpId }) : text(hint ?? "account.passkeysHint"),
      this.#passkeys.cards(list),
      button(text("passkeys.add"), () => this.#passkeys.add(), "primary"),
    );
  }

  /** False if the organization has no providers. */
  #linkSection(list: LinkList, { passkeys }: PasskeyList): HTMLElement | false {
    const cards = this.#links.cards(list, passkeys.length === 0);
    const buttons = this.#links.buttons(list);
    const hint = text(cards.length > 0 ? "links.hint" : "links.none");
    return cards.length + buttons.length > 0 && section(text("links.label"), hint, cards, ...buttons);
  }

  /** False if the user has granted nothing. */
  #grantSection(grants: Grant[]): HTMLElement | false {
    return grants.length > 0 && section(text("grants.label"), text("grants.hint"), this.#grants.cards(grants));
  }

  /** False if the user has no tokens. */
  #tokenSection(tokens: Token[]): HTMLElement | false {
    return (
      tokens.length > 0 && section(text("tokens.label"), text("tokens.hint"), tokenCards(tokens, this.user, this.#view))
    );
  }

  #sessionSection(sessions: Session[]): HTMLElement {
    const cards = deviceCards(sessions, (session, name) => this.#end(session, name));
    const shown = section(text("sessions.label"), text(sessions.length > 1 ? "sessions.hint" : "sessions.only"), cards);
    if (sessions.length > 1) {
      const everywhere = button(text("sessions.everywhere"), () => this.#askToEndAll(), "quiet danger");
      // Above the list, which can be long.
      shown.querySelector(".cards")?.before(h("div", { class: "actions" }, everywhere));
    }
    return shown;
  }

  async #end({ sessionId }: Session, name: string): Promise<void> {
    const { userId } = this.user;
    try {
      await sessionService.endSession({ userId, sessionId });
      await this.#reopen(...textWith("sessions.ended", { name: nameOf(name) }));
    } catch (error) {
      if (reasonOf(error) === "SESSION_NOT_FOUND") await this.#reopen(text("sessions.gone"));
      else this.#refused(error);
    }
  }

  #askToEndAll(): void {
    const content = [h("p", {}, text("sessions.everywhereConsequence"))];
    const confirm = submitButton(text("sessions.everywhere"), "danger");
    const endAll = async () => {
      const { userId } = this.user;
      await sessionService.endSessions({ userId, keepCurrent: true });
      await sessionService.signOut({}); // last, because it removes the cookie
      this.#leave("signed-out");
    };
    const ended = () => this.#leave("ended");
    askToChange(text("sessions.everywhereTitle"), content, confirm, endAll, { ...BY, ended });
  }

  async #signOut(): Promise<void> {
    try {
      await sessionService.signOut({});
      this.#leave("signed-out");
    } catch (error) {
      this.#refused(error);
    }
  }

  /** Shows the account with the present fields of the user. */
  async #reload(...news: Child[]): Promise<void> {
    const { user, attributeDefinitions } = await bySession.users.getCurrentUser({});
    if (user) [this.user, this.definitions] = [user, attributeDefinitions];
    await this.#reopen(...news);
  }

  async #reopen(...news: Child[]): Promise<void> {
    try {
      await this.#show(...news);
    } catch (error) {
      const refusal = explain(error, BY);
      if (refusal.isEnd) this.#leave("ended");
      else offerAgain(refusal, news, () => this.#reopen(...news));
    }
  }

  #refused(error: unknown): void {
    const refusal = explain(error, BY);
    if (refusal.isEnd) this.#leave("ended");
    else this.#alerts.tell(refusal);
  }

  #leave(farewell: Farewell): void {
    this.#leaving.abort();
    clear();
    tellTabs(farewell);
    goToSignIn(farewell);
  }

  /** Shows the account of the present session of the browser, which may be another user's, or of none. */
  #restart(farewell: Farewell | undefined): void {
    this.#leaving.abort();
    clear();
    void Home.open(farewell);
  }

  /** Checks that the session is still that of this user. Errors of the network change nothing. */
  async #look(): Promise<void> {
    try {
      const { user } = await bySession.users.getCurrentUser({});
      if (user?.userId !== this.user.userId && !this.#leaving.signal.aborted) this.#restart(undefined);
    } catch (error) {
      if (explain(error, BY).isEnd && !this.#leaving.signal.aborted) this.#leave("ended");
    }
  }
}

function section(title: string, hint: string, cards: HTMLElement[], ...actions: (HTMLElement | false)[]): HTMLElement {
  const buttons = actions.filter((each) => each !== false);
  return h(
    "section",
    {},
    h("h2", {}, title),
    h("p", { class: "hint" }, hint),
    h("ul", { class: "cards", "aria-label": title }, ...cards),
    buttons.length > 0 && h("div", { class: "actions" }, ...buttons),
  );
}

/** The outcome in the fragment of the address, which is removed: a reload does not show it again. */
function readNews(): string[] {
  if (location.hash !== "#linked") return [];
  history.replaceState(null, "", location.pathname);
  return [text("provider.linked")];
}

/** Shows an error with a button that loads the account again. */
function offerAgain(refusal: Refusal, news: Child[], open: () => Promise<void>): void {
  const alerts = new Alerts();
  const again = button(text("tryAgain"), () => void busy(again, open), "primary");
  const done = news.length > 0 && h("p", { class: "done" }, ...news);
  show(text("account.title"), done, alerts.element, h("div", { class: "actions" }, again));
  alerts.tell(refusal);
}
