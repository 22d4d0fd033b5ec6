/** Mail: the SMTP configuration and its test, and the outbox. */

import { html, nothing, type TemplateResult } from "lit";
import { type Mail, type MailPreview, MailService } from "../../gen/console/keystead/mail/v1/mail_service_pb";
import {
  AddSMTPConfigRequestSchema,
  SetSMTPOAuthRequestSchema,
  type SMTPConfig,
  SMTPConfigSchema,
  SMTPOAuthSchema,
  SMTPService,
  UpdateSMTPConfigRequestSchema,
} from "../../gen/console/keystead/smtp/v1/smtp_service_pb";
import { may, me } from "../access";
import { act, change, client, preview, read } from "../api";
import { outcome, retrier, selectedState, stateFilter } from "../delivery";
import { askFirst } from "../dialogs";
import { failureOf } from "../failure";
import { type Entry, form, type Values } from "../form";
import { letter } from "../letter";
import { done } from "../notice";
import { empty, head, section, table, tabs, time, titled } from "../parts";
import { Trial } from "../steps";
import { messageOf, only, valuesOf } from "../values";
import { Loaded, Paged, View } from "../view";
import { maybe, t } from "../view_words";
import "../who";

const mails = client(MailService);
const smtp = client(SMTPService);

export function views(): string {
  return "keystead-mail";
}

const FIELDS = ["senderAddress", "senderName", "host", "tls", "user", "password"];

const isOf = (preset: string) => (values: Values) =>
  (values.preset ?? "SMTP_TOKEN_PRESET_UNSPECIFIED") === `SMTP_TOKEN_PRESET_${preset}`;
const isNotOf = (preset: string) => (values: Values) => !isOf(preset)(values);
const OAUTH_FIELDS: readonly Entry[] = [
  { name: "preset" },
  { name: "tenant", when: isOf("MICROSOFT") },
  { name: "tokenEndpoint", when: isOf("UNSPECIFIED") },
  { name: "scope", when: isOf("UNSPECIFIED"), texts: "mailScope" },
  { name: "clientId", texts: "mailClientId" },
  { name: "mailbox" },
  { name: "clientSecret", texts: "mailClientSecret" },
  { name: "privateKey", when: isNotOf("GOOGLE") },
  { name: "serviceAccountKey", when: isNotOf("MICROSOFT") },
  { name: "refreshToken" },
];

class MailView extends View {
  protected override render(): TemplateResult {
    const mayList = may("MailService/ListMails");
    const part = mayList ? this.route.path[1] : undefined;
    return html`${head(t("mail"), { lead: t("mail.lead") })}
      ${
        mayList
          ? tabs(t("mail"), [
              [t("settings"), ["mail"], part === undefined],
              [t("mail.templates"), ["mail", "templates"], part === "templates"],
              [t("mail.outbox"), ["mail", "outbox"], part === "outbox"],
            ])
          : nothing
      }
      ${
        part === "outbox"
          ? html`<keystead-outbox .route=${this.route}></keystead-outbox>`
          : part === "templates"
            ? html`<keystead-mail-previews .route=${this.route}></keystead-mail-previews>`
            : html`<keystead-smtp .route=${this.route}></keystead-smtp>`
      }`;
  }
}

class SMTP extends View {
  readonly #config = new Loaded(this, () => this.#read());
  readonly #trial = new Trial(this, () => {
    const receiverAddress = this.querySelector<HTMLInputElement>("#test-receiver")?.value.trim() ?? "";
    return act((options) => smtp.testSMTPConfig({ receiverAddress }, options));
  });

  /** The configuration; `null` without one. */
  async #read(): Promise<SMTPConfig | null> {
    try {
      const { smtpConfig } = await read((options) => smtp.getSMTPConfig({}, options));
      return smtpConfig!;
    } catch (error) {
      if (failureOf(error).isMissing) return null;
      throw error;
    }
  }

  protected override render(): TemplateResult {
    return this.#config.render((config) => (config ? this.#stored(config) : this.#first()));
  }

  #first(): TemplateResult {
    return section(
      t("mail.setUp"),
      form({
        request: "AddSMTPConfigRequest",
        fields: FIELDS,
        values: { tls: true },
        submit: t("save"),
        save: async (values) => {
          await change((options) => smtp.addSMTPConfig(messageOf(AddSMTPConfigRequestSchema, values), options));
          await this.#config.reload();
          done(t("saved"));
        },
      }),
      { lead: t("mail.setUpLead") },
    );
  }

  #stored(config: SMTPConfig): TemplateResult {
    const state = (found: SMTPConfig) => ({
      values: valuesOf(SMTPConfigSchema, found),
      sequence: found.details!.sequence,
    });
    // An empty field keeps the stored password.
    const save = (values: Values, changed: readonly string[], sequence?: bigint) => {
      const sent = only(values, changed.includes("password") ? FIELDS : FIELDS.filter((each) => each !== "password"));
      return change(
        (options) => smtp.updateSMTPConfig(messageOf(UpdateSMTPConfigRequestSchema, sent), options),
        sequence,
      );
    };
    const remove = html`<button type="button" class="quiet danger" @click=${() => this.#askToRemove()}>${t("mail.remove")}</button>`;
    return html`${section(
      t("settings"),
      html`${config.passwordSet ? html`<p class="hint">${t("mail.passwordStored")}</p>` : nothing}
        ${form({ request: "UpdateSMTPConfigRequest", fields: FIELDS, ...state(config), submit: t("save"), current: async () => state((await this.#read())!), save })}`,
      { actions: remove },
    )}
      ${this.#oauth(config)}
      ${section(t("test"), this.#trial.render(html`<div class="field"><label for="test-receiver">${t("mail.receiver")} <span class="optional">${t("optional")}</span></label><input id="test-receiver" inputmode="email" autocomplete="off" .defaultValue=${me().email} /></div>`), { lead: t("mail.testLead") })}`;
  }

  #oauth(config: SMTPConfig): TemplateResult {
    const state = ({ oauth, details }: SMTPConfig) => ({
      values: oauth ? valuesOf(SMTPOAuthSchema, oauth) : {},
      sequence: details!.sequence,
    });
    const options = { request: "SetSMTPOAuthRequest", fields: OAUTH_FIELDS, submit: t("save") } as const;
    if (!config.oauth) {
      const save = async (values: Values) => {
        await this.#setOAuth(values, config.details!.sequence);
        await this.#config.reload();
        done(t("saved"));
      };
      return section(t("mail.oauth"), form({ ...options, values: {}, save }), { lead: t("mail.oauthLead") });
    }
    const remove = html`<button type="button" class="quiet danger" @click=${() => this.#askToRemoveOAuth()}>${t("mail.removeOAuth")}</button>`;
    const save = (values: Values, _: readonly string[], sequence?: bigint) => this.#setOAuth(values, sequence);
    return section(
      t("mail.oauth"),
      html`<p class="hint">${t("mail.oauthSet")}</p>
        ${form({ ...options, ...state(config), current: async () => state((await this.#read())!), save })}`,
      { lead: t("mail.oauthLead"), actions: remove },
    );
  }

  /** Fields of another preset are not sent, since the preset gives the token endpoint and the scope. */
  #setOAuth(values: Values, sequence?: bigint): Promise<unknown> {
    const shown = OAUTH_FIELDS.filter(({ when }) => when?.(values) ?? true).map(({ name }) => name);
    const sent = only(values, values.serviceAccountKey ? shown.filter((each) => each !== "clientId") : shown);
    const request = messageOf(SetSMTPOAuthRequestSchema, sent);
    return change((options) => smtp.setSMTPOAuth(request, options), sequence);
  }

  #askToRemoveOAuth(): void {
    askFirst({
      title: t("mail.removeOAuthTitle"),
      action: t("mail.removeOAuth"),
      consequences: async () => [t("mail.removeOAuthText")],
      check: () => preview((options) => smtp.removeSMTPOAuth({}, options)),
      act: async () => {
        await change((options) => smtp.removeSMTPOAuth({}, options));
        await this.#config.reload();
      },
      done: t("mail.removed"),
    });
  }

  #askToRemove(): void {
    askFirst({
      title: t("mail.removeTitle"),
      action: t("mail.remove"),
      consequences: async () => [t("mail.removeText")],
      check: () => preview((options) => smtp.removeSMTPConfig({}, options)),
      act: async () => {
        await change((options) => smtp.removeSMTPConfig({}, options));
        await this.#config.reload();
      },
      done: t("mail.removed"),
    });
  }
}

class Previews extends View {
  readonly #previews = new Loaded(
    this,
    async () => (await read((options) => mails.listMailPreviews({}, options))).previews,
  );

  protected override render(): TemplateResult {
    return html`<p class="lead panelless">${t("mail.templatesLead")}</p>
      ${this.#previews.render((previews) => html`${previews.map((each) => this.#preview(each))}`)}`;
  }

  #preview({ kind, subject, text, html: formatted }: MailPreview): TemplateResult {
    return section(
      maybe(`mailKind.${kind}`) ?? kind,
      html`<p lang="en"><strong>${subject}</strong></p>
      ${letter(formatted)}
      <details><summary>${t("mail.plainText")}</summary><pre lang="en">${text}</pre></details>`,
    );
  }
}

class Outbox extends View {
  readonly #list = new Paged<Mail>(this, async (pageToken) => {
    const page = await read((options) => mails.listMails({ state: selectedState(this.route), pageToken }, options));
    return { items: page.mails, next: page.nextPageToken };
  });

  protected override render(): TemplateResult {
    return html`${stateFilter(this.route, () => this.#list.reload())}
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
              { label: t("created"), cell: (each) => time(each.createdAt), isWide: true },
              { label: t("actions"), isLabelHidden: true, cell: (each) => this.#retrier(each) },
            ],
            items,
          ),
        empty(t("mail.none")),
      )}`;
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
customElements.define("keystead-smtp", SMTP);
customElements.define("keystead-mail-previews", Previews);
customElements.define("keystead-outbox", Outbox);
