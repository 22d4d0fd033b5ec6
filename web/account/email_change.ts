/** The change of one's own mail address: the request of a link, its confirmation, and its end. */

import type { User } from "../gen/keystead/user/v1/user_service_pb";
import { askToChange } from "../shared/dialog";
import { type Child, h, nameOf } from "../shared/dom";
import { moment } from "../shared/facts";
import { busy, button, field, submitButton } from "../shared/form";
import { isRefused } from "../shared/refusals";
import { decoded } from "../shared/request";
import { bySession } from "../shared/session";
import { confirmed } from "../shared/step_up";
import { inTabOr } from "../shared/storage";
import { text, textWith } from "../shared/words";
import type { ProfileView } from "./profile";

const GIVEN = "#email=";
const STORAGE_KEY = "keystead.email";

/**
 * Keeps the token of a mailed link in this tab, while the person signs in; it leaves the address.
 *
 * Where storage is blocked, the person signs in first, and opens the link again.
 */
export function keepLink(): void {
  const { hash, pathname, search } = location;
  if (!hash.startsWith(GIVEN)) return;
  inTabOr(undefined, (storage) => storage.setItem(STORAGE_KEY, decoded(hash.slice(GIVEN.length))));
  history.replaceState(null, "", pathname + search);
}

/** Asks before the address of a kept link is used: a program that looks into mails may open the link, too. */
export function askToConfirm(user: User, view: ProfileView): void {
  const emailChangeToken = inTabOr(null, (storage) => storage.getItem(STORAGE_KEY));
  inTabOr(undefined, (storage) => storage.removeItem(STORAGE_KEY));
  if (!emailChangeToken) return;
  const { userId, emailChange } = user;
  const question = emailChange
    ? textWith("email.confirmText", { address: h("strong", {}, nameOf(emailChange.email)) })
    : [text("email.confirmAny")];
  const confirm = async () => {
    await confirmed(() => bySession.users.confirmEmailChange({ userId, emailChangeToken }));
    await view.reopen(text("email.confirmed"));
  };
  const submit = submitButton(text("email.confirm"));
  askToChange(text("email.confirmTitle"), [h("p", {}, ...question)], submit, confirm, {
    by: "session",
    ended: view.ended,
  });
}

/** The pending change, with a button that ends it; undefined without one. */
export function pendingChange({ userId, emailChange }: User, view: ProfileView): HTMLElement | undefined {
  if (!emailChange) return undefined;
  const words = { address: nameOf(emailChange.email), until: moment(emailChange.expiresAt) };
  const cancel = button(
    text("email.cancel"),
    () =>
      void busy(cancel, async () => {
        try {
          await bySession.users.cancelEmailChange({ userId });
          await view.reopen(text("email.cancelled"));
        } catch (error) {
          view.refused(error);
        }
      }),
  );
  return h(
    "div",
    { class: "pending" },
    h("p", {}, ...textWith("email.pending", words)),
    h("div", { class: "actions" }, cancel),
  );
}

/** Asks for the new address; for a present one that nobody has verified, too. */
export function askForChange(user: User, view: ProfileView, address = ""): void {
  const input = field(text("email.new"), text("email.newHint"), {
    type: "email",
    inputmode: "email",
    autocomplete: "email",
    value: address,
  });
  const send = async () => {
    const email = input.input.value.trim();
    input.refuse("");
    try {
      await confirmed(() => bySession.users.requestEmailChange({ userId: user.userId, email }));
    } catch (error) {
      if (!isRefused(error, "email")) throw error;
      input.refuse(text(email === user.email ? "email.same" : "mailForm.noAddress"));
      return;
    }
    await view.reopen(...sent(email));
  };
  const introduction = h("p", {}, text("email.introduction"));
  const submit = submitButton(text("email.send"));
  askToChange(text(address ? "email.verify" : "email.change"), [introduction, input.element], submit, send, {
    by: "session",
    ended: view.ended,
  });
  input.input.focus();
}

function sent(email: string): Child[] {
  return textWith("email.sent", { address: nameOf(email) });
}
