/** The access tokens of the user: list, remove. */

import { type Token, TokenKind, type User } from "../gen/keystead/user/v1/user_service_pb";
import { askToChange } from "../shared/dialog";
import { h, nameOf, nameText } from "../shared/dom";
import { day, fact } from "../shared/facts";
import { button, named, submitButton } from "../shared/form";
import { icon } from "../shared/icons";
import { bySession } from "../shared/session";
import { text, textWith } from "../shared/words";
import type { GrantsView } from "./grants";

/** A card for each token. */
export function tokenCards(tokens: readonly Token[], user: User, view: GrantsView): HTMLElement[] {
  return tokens.map((token) => {
    const name = token.name || text("tokens.unnamed");
    const remove = button(text("tokens.remove"), () => askToRemove(token.tokenId, name, user, view), "quiet danger");
    const creator = text(token.createdBy === user.userId ? "tokens.byYou" : "tokens.byOther");
    const isCertificate = token.kind === TokenKind.CERTIFICATE;
    return h(
      "li",
      { class: "card" },
      icon("key"),
      h("h3", {}, nameOf(name), isCertificate && h("span", { class: "badge" }, text("tokens.certificate"))),
      h(
        "dl",
        {},
        fact(text("tokens.created"), day(token.details?.creationDate)),
        fact(text("tokens.creator"), creator),
        fact(text("tokens.expires"), token.expiresAt ? day(token.expiresAt) : text("tokens.unlimited")),
      ),
      h("div", { class: "actions" }, named(remove, text("tokens.removeOne", { name: nameText(name) }))),
    );
  });
}

function askToRemove(tokenId: string, name: string, { userId }: User, view: GrantsView): void {
  const consequence = h("p", {}, ...textWith("tokens.removeConsequence", { name: nameOf(name) }));
  const remove = async () => {
    await bySession.users.revokeToken({ userId, tokenId });
    await view.reopen(...textWith("tokens.removed", { name: nameOf(name) }));
  };
  askToChange(text("tokens.removeTitle"), [consequence], submitButton(text("tokens.remove"), "danger"), remove, {
    by: "session",
    missing: ["TOKEN_NOT_FOUND", () => view.reopen()],
    ended: view.ended,
  });
}
