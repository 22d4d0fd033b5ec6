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
import { client, read, within } from "../api";
import { equal, filterOf, filters } from "../delivery";
import { letter } from "../letter";
import { mailTextForm, ownTexts } from "../mail_text";
import { KINDS, mailTable } from "../mails";
import "../object_picker";
import { badge, empty, facts, head, section, tabs } from "../parts";
import { filterBy, type Route, setFilter, to } from "../router";
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
      <details><summary>${t("mail.plainText")}</summary><pre lang="">${text}</pre></details>`,
      { lead: t("mail.capturedLead") },
    );
  }
}

class Outbox extends View {
  readonly #list = new Paged<Mail>(this, async (pageToken) => {
    const { query } = this.route;
    const filter = filterOf(this.route, equal("kind", query.get("kind")), equal("user_id", query.get("user")));
    const request = { filter, pageToken, withTotalSize: pageToken === "" };
    const page = await read((options) => mails.listMails(request, within(mailOrganization(), options)));
    if (pageToken === "") this.#total = totalOf(page);
    return { items: page.mails, next: page.nextPageToken };
  });

  #total = "";

  protected override render(): TemplateResult {
    const reload = () => this.#list.reload();
    return html`${filters(this.route, reload, html`${this.#kind()}${this.#user()}`)}
      ${this.#total ? html`<p class="total" role="status">${t("mail.total", { total: this.#total })}</p>` : nothing}
      ${this.#list.render((items) => mailTable(t("mail.outbox"), items, reload), empty(t("mail.none")))}`;
  }

  #kind(): TemplateResult {
    const selected = this.route.query.get("kind");
    return html`<div class="field"><label for="kind">${t("mail.kind")}</label><select id="kind" name="kind">
      <option value="">${t("events.all")}</option>
      ${KINDS.map((each) => html`<option value=${each} ?selected=${each === selected}>${maybe(`mailKind.${each}`)}</option>`)}
    </select></div>`;
  }

  #user(): TemplateResult | typeof nothing {
    const userId = this.route.query.get("user");
    const select = (found: string) => {
      setFilter("user", found, this.route);
      void this.#list.reload();
    };
    if (userId !== null) {
      return html`<div class="field"><span class="label">${t("user")}</span><span class="chosen"><keystead-who .objectId=${userId}></keystead-who><button type="button" @click=${() => select("")}>${t("events.all")}</button></span></div>`;
    }
    return may("UserService/ListUsers")
      ? html`<keystead-object-picker .label=${t("user")} .kinds=${["user"]} .chosen=${select}></keystead-object-picker>`
      : nothing;
  }
}

customElements.define("keystead-mail", MailView);
customElements.define("keystead-mail-previews", Previews);
customElements.define("keystead-captured-mail", Captured);
customElements.define("keystead-outbox", Outbox);
