/** Mail of the instance or of an organization: its server, the templates, and the outbox with captured mails. */

import { html, nothing, type TemplateResult } from "lit";
import {
  type CapturedMail,
  type Mail,
  type MailPreview,
  MailService,
} from "../../gen/console/keystead/mail/v1/mail_service_pb";
import { LANGUAGES } from "../../gen/languages";
import { language } from "../../shared/words";
import { mailOrganization, may } from "../access";
import { change, client, read, within } from "../api";
import { outcome, retrier, selectedState, stateFilter } from "../delivery";
import { letter } from "../letter";
import { mailTextForm, ownTexts } from "../mail_text";
import { badge, empty, facts, head, section, table, tabs, time, titled } from "../parts";
import { filterBy, type Route, to } from "../router";
import { smtpForms } from "../smtp";
import { Loaded, Paged, totalOf, View } from "../view";
import { maybe, t } from "../view_words";
import "../who";

const mails = client(MailService);

export function views(): string {
  return "keystead-mail";
}

class MailView extends View {
  protected override render(): TemplateResult {
    const maySetUp = may("SMTPService/UpdateSMTPConfig");
    const part = this.route.path[1] ?? (maySetUp ? "" : "outbox");
    const orgId = mailOrganization();
    const outbox = [t("mail.outbox"), ["mail", "outbox"], part === "outbox"] as const;
    const templates = [t("mail.templates"), ["mail", "templates"], part === "templates"] as const;
    return html`${head(t("mail"), { lead: t(orgId ? "mail.leadOwn" : "mail.lead") })}
      ${tabs(t("mail"), maySetUp ? [[t("settings"), ["mail"], part === ""], templates, outbox] : [templates, outbox])}
      ${
        part === "outbox"
          ? this.route.path[2]
            ? html`<keystead-captured-mail .route=${this.route}></keystead-captured-mail>`
            : html`<keystead-outbox .route=${this.route}></keystead-outbox>`
          : part === "templates"
            ? this.#templates()
            : smtpForms(orgId)
      }`;
  }

  #templates(): TemplateResult {
    const kind = this.route.path[2];
    const tag = languageOf(this.route);
    return kind && may("MailService/SetMailText")
      ? mailTextForm(`${kind}.${tag}`, tag)
      : html`<keystead-mail-previews .route=${this.route}></keystead-mail-previews>`;
  }
}

/** The language of templates. */
function languageOf(route: Route): string {
  return route.query.get("language") ?? language;
}

class Previews extends View {
  readonly #previews = new Loaded(this, async () => {
    const request = { language: this.#language };
    const [{ previews }, own] = await Promise.all([
      read((options) => mails.listMailPreviews(request, within(mailOrganization(), options))),
      ownTexts(),
    ]);
    return { previews, own };
  });

  get #language(): string {
    return languageOf(this.route);
  }

  #select(event: Event): void {
    filterBy(event, this.route);
    void this.#previews.reload();
  }

  protected override render(): TemplateResult {
    return html`<p class="lead panelless">${t("mail.templatesLead")}</p>
      <search class="filters panelless"><div class="field"><label for="language">${t("field.locale")}</label><select id="language" name="language" @change=${this.#select}>
        ${Object.entries(LANGUAGES).map(([tag, { name }]) => html`<option value=${tag} lang=${tag} ?selected=${tag === this.#language}>${name}</option>`)}
      </select></div></search>
      ${this.#previews.render(({ previews, own }) => html`${previews.map((each) => this.#preview(each, own.has(`${each.kind}.${this.#language}`)))}`)}`;
  }

  #preview({ kind, subject, text, html: formatted }: MailPreview, isOwn: boolean): TemplateResult {
    const title = maybe(`mailKind.${kind}`) ?? kind;
    const address = to(["mail", "templates", kind], { language: this.#language });
    const edit = may("MailService/SetMailText")
      ? html`<a class="button" href=${address} aria-label=${t("mailText.editOne", { kind: title })}>${t("mailText.edit")}</a>`
      : nothing;
    return section(
      title,
      html`<p lang=${this.#language}><strong>${subject}</strong></p>
      ${letter(formatted)}
      <details><summary>${t("mail.plainText")}</summary><pre lang=${this.#language}>${text}</pre></details>`,
      { actions: html`${isOwn ? badge(t("mailText.own")) : nothing} ${edit}` },
    );
  }
}

/** The message of a captured mail, as it would look. */
class Captured extends View {
  readonly #mail = new Loaded(this, async () => {
    const mailId = this.route.path[2] ?? "";
    const call = read((options) => mails.getCapturedMail({ mailId }, within(mailOrganization(), options)));
    return (await call).capturedMail!;
  });

  protected override render(): TemplateResult {
    return this.#mail.render((mail) => this.#message(mail));
  }

  #message({ headers, html: formatted, text }: CapturedMail): TemplateResult {
    return section(
      t("mail.captured"),
      html`${facts(...headers.map(({ name, value }) => [name, value] as const))}
      ${letter(formatted)}
      <details><summary>${t("mail.plainText")}</summary><pre lang="en">${text}</pre></details>`,
      { lead: t("mail.capturedLead") },
    );
  }
}

/** The server of the last attempt. */
function routeOf(attempts: Mail["attempts"]): string {
  return maybe(`mailRoute.${attempts.at(-1)?.route}`) ?? "";
}

class Outbox extends View {
  readonly #list = new Paged<Mail>(this, async (pageToken) => {
    const request = { state: selectedState(this.route), pageToken, withTotalSize: pageToken === "" };
    const page = await read((options) => mails.listMails(request, within(mailOrganization(), options)));
    if (pageToken === "") this.#total = totalOf(page);
    return { items: page.mails, next: page.nextPageToken };
  });

  #total = "";

  protected override render(): TemplateResult {
    return html`${stateFilter(this.route, () => this.#list.reload())}
      ${this.#total ? html`<p class="total" role="status">${t("mail.total", { total: this.#total })}</p>` : nothing}
      ${this.#list.render(
        (items) =>
          table(
            t("mail.outbox"),
            [
              {
                label: t("mail.kind"),
                cell: (each) => titled(maybe(`mailKind.${each.kind}`) ?? each.kind, each.recipientAddress),
              },
              { label: t("state"), cell: (each) => outcome(each.mailId, each.state, each.attempts) },
              { label: t("mail.route"), cell: ({ attempts }) => routeOf(attempts), isWide: true },
              { label: t("created"), cell: (each) => time(each.createdAt), isWide: true },
              { label: t("actions"), isLabelHidden: true, cell: (each) => this.#actions(each) },
            ],
            items,
          ),
        empty(t("mail.none")),
      )}`;
  }

  #actions(mail: Mail): TemplateResult | typeof nothing {
    if (!mail.isCaptured || !may("MailService/GetCapturedMail")) return this.#retrier(mail);
    const label = t("mail.showOne", { address: mail.recipientAddress });
    return html`<a class="button" href=${to(["mail", "outbox", mail.mailId])} aria-label=${label}>${t("mail.show")}</a>`;
  }

  #retrier({ state, mailId, recipientAddress }: Mail): TemplateResult | typeof nothing {
    if (!may("MailService/RetryMail")) return nothing;
    return retrier(state, t("mail.retryOne", { address: recipientAddress }), async () => {
      await change((options) => mails.retryMail({ mailId }, options));
      await this.#list.reload();
    });
  }
}

customElements.define("keystead-mail", MailView);
customElements.define("keystead-mail-previews", Previews);
customElements.define("keystead-captured-mail", Captured);
customElements.define("keystead-outbox", Outbox);
