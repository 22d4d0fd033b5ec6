/** The applications to which the user has granted access: list, take back a part of the access, end it. */

import type { Grant } from "../gen/keystead/application/v1/application_service_pb";
import type { User } from "../gen/keystead/user/v1/user_service_pb";
import { askToChange } from "../shared/dialog";
import { type Child, h, nameOf, nameText } from "../shared/dom";
import { day, fact } from "../shared/facts";
import { button, named, submitButton } from "../shared/form";
import { icon } from "../shared/icons";
import { phrasesOf, scopesInWords } from "../shared/scopes";
import { text, textWith } from "../shared/words";
import { applicationService } from "./lists";

/** The view that contains the list. */
export interface GrantsView {
  /** Loads and shows the view again, with `news` as its status. */
  readonly reopen: (...news: Child[]) => Promise<void>;
  readonly ended: () => void;
}

export class Grants {
  constructor(
    private readonly user: User,
    private readonly view: GrantsView,
  ) {}

  /** A card for each application. */
  cards(grants: readonly Grant[]): HTMLElement[] {
    return grants.map((grant) => {
      const { applicationName, scopes, details } = grant;
      const revoke = button(text("grants.revoke"), () => this.#askToRevoke(grant), "quiet danger");
      const phrases = h("ul", { class: "phrases" }, ...scopesInWords(scopes).map((words) => h("li", {}, ...words)));
      return h(
        "li",
        { class: "card" },
        icon("application"),
        h("h3", {}, nameOf(applicationName)),
        h("dl", {}, fact(text("grants.can"), phrases), fact(text("grants.since"), day(details?.creationDate))),
        h(
          "div",
          { class: "actions" },
          ...this.#narrowing(grant),
          named(revoke, text("grants.revokeOne", { name: nameText(applicationName) })),
        ),
      );
    });
  }

  /** The button that takes scopes back. A single scope ends with the access. */
  #narrowing(grant: Grant): HTMLElement[] {
    const { applicationName, scopes } = grant;
    if (scopes.length < 2) return [];
    const narrow = button(text("grants.narrow"), () => this.#askToNarrow(grant), "quiet");
    return [named(narrow, text("grants.narrowOne", { name: nameText(applicationName) }))];
  }

  /** Without `openid` the access would end, so it is no choice. */
  #askToNarrow({ applicationId, applicationName, scopes }: Grant): void {
    const name = () => nameOf(applicationName);
    const choices = phrasesOf(scopes.filter((scope) => scope !== "openid")).map(([scope, phrase]) => {
      const box = h("input", { type: "checkbox", checked: true, value: scope });
      return { box, line: h("label", {}, box, h("span", {}, ...phrase)) };
    });
    const legend = h("legend", {}, ...textWith("grants.narrowQuestion", { name: name() }));
    const question = h("fieldset", { class: "choices" }, legend, ...choices.map(({ line }) => line));
    const consequence = h("p", { class: "hint" }, ...textWith("grants.narrowConsequence", { name: name() }));
    const narrow = async () => {
      const taken = choices.filter(({ box }) => !box.checked).map(({ box }) => box.value);
      if (taken.length === 0) return this.view.reopen();
      await applicationService.revokeGrant({ userId: this.user.userId, applicationId, scopes: taken });
      await this.view.reopen(...textWith("grants.narrowed", { name: name() }));
    };
    askToChange(text("grants.narrowTitle"), [question, consequence], submitButton(text("grants.narrowSave")), narrow, {
      by: "session",
      missing: ["APPLICATION_GRANT_NOT_FOUND", () => this.view.reopen()],
      ended: this.view.ended,
    });
  }

  #askToRevoke({ applicationId, applicationName }: Grant): void {
    const name = nameOf(applicationName);
    const consequence = h("p", {}, ...textWith("grants.revokeConsequence", { name }));
    const confirm = submitButton(text("grants.revoke"), "danger");
    const revoke = async () => {
      await applicationService.revokeGrant({ userId: this.user.userId, applicationId });
      await this.view.reopen(...textWith("grants.revoked", { name: nameOf(applicationName) }));
    };
    askToChange(text("grants.revokeTitle"), [consequence], confirm, revoke, {
      by: "session",
      missing: ["APPLICATION_GRANT_NOT_FOUND", () => this.view.reopen()],
      ended: this.view.ended,
    });
  }
}
