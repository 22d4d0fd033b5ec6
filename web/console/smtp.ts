/** The forms of an SMTP configuration, of the instance or of an organization, and its test. */

import { html, nothing, type TemplateResult } from "lit";
import {
  AddSMTPConfigRequestSchema,
  SetSMTPOAuthRequestSchema,
  type SMTPConfig,
  SMTPConfigSchema,
  SMTPOAuthSchema,
  SMTPService,
  UpdateSMTPConfigRequestSchema,
} from "../gen/console/keystead/smtp/v1/smtp_service_pb";
import { me } from "./access";
import { act, change, client, preview, read, within } from "./api";
import { askFirst } from "./dialogs";
import { failureOf } from "./failure";
import { type Entry, form, labelOf, type Values } from "./form";
import { done } from "./notice";
import { section } from "./parts";
import { Trial } from "./steps";
import { messageOf, only, valuesOf } from "./values";
import { Loaded, View } from "./view";
import { t } from "./view_words";

const smtp = client(SMTPService);

const FIELDS = ["senderAddress", "senderName", "host", "tls", "user", "password"];

/** The fields of a configuration with a password, which an empty field keeps. */
function fieldsWithPassword(): readonly (string | Entry)[] {
  const kept = { texts: "storedPassword", label: labelOf("password") };
  return FIELDS.map((name) => (name === "password" ? { name, ...kept } : name));
}

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

/** The element `<keystead-smtp>`; set `orgId` once. Empty: the configuration of the instance. */
class SMTP extends View {
  orgId = "";
  readonly #config = new Loaded(this, () => this.#read());
  readonly #trial = new Trial(this, () => {
    const receiverAddress = this.querySelector<HTMLInputElement>("#test-receiver")?.value.trim() ?? "";
    return act((options) => smtp.testSMTPConfig({ receiverAddress }, within(this.orgId, options)));
  });

  /** The configuration; `null` without one. */
  async #read(): Promise<SMTPConfig | null> {
    try {
      const { smtpConfig } = await read((options) => smtp.getSMTPConfig({}, within(this.orgId, options)));
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
      t(this.orgId ? "mail.own" : "mail.setUp"),
      form({
        request: "AddSMTPConfigRequest",
        fields: FIELDS,
        values: { tls: true },
        submit: t("save"),
        save: async (values) => {
          await change((options) =>
            smtp.addSMTPConfig(messageOf(AddSMTPConfigRequestSchema, values), within(this.orgId, options)),
          );
          await this.#config.reload();
          done(t("saved"));
        },
      }),
      { lead: t(this.orgId ? "mail.ownLead" : "mail.setUpLead") },
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
        (options) => smtp.updateSMTPConfig(messageOf(UpdateSMTPConfigRequestSchema, sent), within(this.orgId, options)),
        sequence,
      );
    };
    const remove = html`<button type="button" class="quiet danger" @click=${() => this.#askToRemove()}>${t("mail.remove")}</button>`;
    return html`${section(
      t(this.orgId ? "mail.own" : "settings"),
      html`${config.passwordSet ? html`<p class="hint">${t("mail.passwordStored")}</p>` : nothing}
        ${form({ request: "UpdateSMTPConfigRequest", fields: config.passwordSet ? fieldsWithPassword() : FIELDS, ...state(config), submit: t("save"), current: async () => state((await this.#read())!), save })}`,
      { actions: remove },
    )}
      ${this.#oauth(config)}
      ${section(t(this.orgId ? "mail.testOwn" : "test"), this.#trial.render(html`<div class="field"><label for="test-receiver">${t("mail.receiver")} <span class="optional">${t("optional")}</span></label><input id="test-receiver" inputmode="email" autocomplete="off" .defaultValue=${me().email} /></div>`), { lead: t("mail.testLead") })}`;
  }

  #oauth(config: SMTPConfig): TemplateResult {
    const state = ({ oauth, details }: SMTPConfig) => ({
      values: oauth ? valuesOf(SMTPOAuthSchema, oauth) : {},
      sequence: details!.sequence,
    });
    const fields = OAUTH_FIELDS.map((each) => {
      const isKept = config.oauth && each.name === "clientSecret";
      return isKept ? { ...each, texts: "storedMailClientSecret", label: labelOf("mailClientSecret") } : each;
    });
    const options = { request: "SetSMTPOAuthRequest", fields, submit: t("save") } as const;
    if (!config.oauth) {
      const save = async (values: Values) => {
        await this.#setOAuth(values, config.details!.sequence);
        await this.#config.reload();
        done(t("saved"));
      };
      const first = html`<details><summary>${t("settings")}</summary>${form({ ...options, values: {}, save })}</details>`;
      return section(t("mail.oauth"), first, { lead: t("mail.oauthLead") });
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
    return change((options) => smtp.setSMTPOAuth(request, within(this.orgId, options)), sequence);
  }

  #askToRemoveOAuth(): void {
    askFirst({
      title: t("mail.removeOAuthTitle"),
      action: t("mail.removeOAuth"),
      consequences: async () => [t("mail.removeOAuthText")],
      check: () => preview((options) => smtp.removeSMTPOAuth({}, within(this.orgId, options))),
      act: async () => {
        await change((options) => smtp.removeSMTPOAuth({}, within(this.orgId, options)));
        await this.#config.reload();
      },
      done: t("mail.removed"),
    });
  }

  #askToRemove(): void {
    askFirst({
      title: t("mail.removeTitle"),
      action: t("mail.remove"),
      consequences: async () => [t(this.orgId ? "mail.removeOwnText" : "mail.removeText")],
      check: () => preview((options) => smtp.removeSMTPConfig({}, within(this.orgId, options))),
      act: async () => {
        await change((options) => smtp.removeSMTPConfig({}, within(this.orgId, options)));
        await this.#config.reload();
      },
      done: t("mail.removed"),
    });
  }
}

customElements.define("keystead-smtp", SMTP);

export function smtpForms(orgId: string): TemplateResult {
  return html`<keystead-smtp .orgId=${orgId}></keystead-smtp>`;
}
