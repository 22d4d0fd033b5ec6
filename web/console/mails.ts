/** A table of mails, with their states and attempts, as the outbox and the page of a person show it. */

import { html, nothing, type TemplateResult } from "lit";
import { type Mail, MailService, MailState } from "../gen/console/keystead/mail/v1/mail_service_pb";
import { may } from "./access";
import { change, client } from "./api";
import { outcome, retrier } from "./delivery";
import { table, time, titled } from "./parts";
import { to } from "./router";
import { maybe, t } from "./view_words";

const mails = client(MailService);

/** The kinds of mail, in the order of the API. */
export const KINDS = [
  "passkey_registration_link",
  "passkey_recovery_link",
  "passkey_invitation",
  "sign_up_link",
  "email_change_link",
  "email_change_requested",
  "passkey_added",
  "email_changed",
  "account_recovered",
  "idp_linked",
  "idp_unlinked",
  "token_created",
] as const;

/** The link of a failed mail is erased, so only a new mail helps. */
const HAS_LINK = /_link$|_invitation$/;

export function mailTable(caption: string, found: readonly Mail[], reload: () => Promise<void>): TemplateResult {
  return table(
    caption,
    [
      {
        label: t("mail.kind"),
        cell: (each) => titled(maybe(`mailKind.${each.kind}`) ?? each.kind, each.recipientAddress),
      },
      { label: t("state"), cell: (each) => outcome(each.mailId, each.state, each.attempts) },
      { label: t("mail.route"), cell: ({ attempts }) => routeOf(attempts), isWide: true },
      { label: t("created"), cell: (each) => time(each.createdAt), isWide: true },
      { label: t("actions"), isLabelHidden: true, cell: (each) => actions(each, reload) },
    ],
    found,
  );
}

/** The server of the last attempt. */
function routeOf(attempts: Mail["attempts"]): string {
  return maybe(`mailRoute.${attempts.at(-1)?.route}`) ?? "";
}

function actions(mail: Mail, reload: () => Promise<void>): TemplateResult | typeof nothing {
  const { mailId, state, kind, recipientAddress, isCaptured } = mail;
  if (isCaptured && may("MailService/GetCapturedMail")) {
    const label = t("mail.showOne", { address: recipientAddress });
    return html`<a class="button" href=${to(["mail", "outbox", mailId])} aria-label=${label}>${t("mail.show")}</a>`;
  }
  const isErased = state === MailState.FAILED && HAS_LINK.test(kind);
  if (isErased || !may("MailService/RetryMail")) return nothing;
  return retrier(state, t("mail.retryOne", { address: recipientAddress }), async () => {
    await change((options) => mails.retryMail({ mailId }, options));
    await reload();
  });
}
