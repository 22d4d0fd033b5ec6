/** The own text of a kind of mail in a language: its form, the places that its fields can have, and how the mail looks. */

import { create } from "@bufbuild/protobuf";
import type { CallOptions } from "@connectrpc/connect";
import { html, LitElement, nothing, type TemplateResult } from "lit";
import {
  type MailPreview,
  MailService,
  type MailText,
  MailTextSchema,
  PreviewMailTextRequestSchema,
  SetMailTextRequestSchema,
} from "../gen/console/keystead/mail/v1/mail_service_pb";
import { SMTPService } from "../gen/console/keystead/smtp/v1/smtp_service_pb";
import { LANGUAGES } from "../gen/languages";
import { mailOrganization } from "./access";
import { act, change, client, preview, read, within } from "./api";
import { askFirst } from "./dialogs";
import { failureOf } from "./failure";
import { type Entry, form, type Values } from "./form";
import { letter } from "./letter";
import { section } from "./parts";
import { own as valueOf, to } from "./router";
import { messageOf, valuesOf } from "./values";
import { Loaded, View } from "./view";
import { type Key, maybe, t } from "./view_words";

const mails = client(MailService);
const smtp = client(SMTPService);

/** The label of each field. */
const LABELS: Readonly<Record<string, Key>> = {
  subject: "mailText.subject",
  title: "mailText.title",
  text: "mailText.text",
  button: "mailText.button",
};

/** The pause in typing after which the look is made again. */
const PAUSE_MILLISECONDS = 300;

/** The own texts of the instance or of an organization, by their IDs. */
export async function ownTexts(): Promise<ReadonlyMap<string, MailText>> {
  const { mailTexts } = await read((options) => mails.listMailTexts({}, within(mailOrganization(), options)));
  return new Map(mailTexts.map((each) => [each.mailTextId, each]));
}

interface State {
  readonly usual: MailPreview;
  readonly own: MailText | undefined;
  /** Whether a mail server sends mails with the texts. */
  readonly hasServer: boolean;
}

/** Whether the selected organization has a mail server of its own; the instance needs none here. */
async function hasServer(): Promise<boolean> {
  const orgId = mailOrganization();
  if (!orgId) return true;
  try {
    await read((options) => smtp.getSMTPConfig({}, within(orgId, options)));
    return true;
  } catch (error) {
    if (failureOf(error).isMissing) return false;
    throw error;
  }
}

/** The element `<keystead-mail-text>`; set `mailTextId` and `language` once. */
class MailTextForm extends View {
  mailTextId = "";
  language = "";
  readonly #state = new Loaded(this, () => this.#read());
  /** The control that got the focus last: places are inserted there. */
  #control: HTMLInputElement | HTMLTextAreaElement | undefined;

  async #read(): Promise<State> {
    const request = { language: this.language };
    const [{ previews }, own, isSent] = await Promise.all([
      read((options) => mails.listMailPreviews(request, within(mailOrganization(), options))),
      ownTexts(),
      hasServer(),
    ]);
    const usual = previews.find(({ kind }) => kind === this.#kind);
    if (!usual) throw new Error(`no mail has the kind ${this.#kind}`);
    return { usual, own: own.get(this.mailTextId), hasServer: isSent };
  }

  get #kind(): string {
    return this.mailTextId.split(".", 1)[0]!;
  }

  protected override render(): TemplateResult {
    return this.#state.render((state) => this.#form(state));
  }

  #form({ usual, own, hasServer: isSent }: State): TemplateResult {
    const fields = usual.fields.map(({ name, text }): Entry => ({
      name,
      label: t(LABELS[name]!),
      placeholder: text,
      texts: `mailText.${name}`,
    }));
    const version = (found: MailText | undefined) => {
      const values = valuesOf(MailTextSchema, found ?? create(MailTextSchema));
      const texts = usual.fields.map(({ name, text }) => [name, values[name] || text]);
      return { values: { ...values, ...Object.fromEntries(texts) }, sequence: found?.details?.sequence };
    };
    const remove = own
      ? html`<button type="button" class="quiet danger" @click=${() => this.#askToRemove()}>${t("mailText.remove")}</button>`
      : nothing;
    const back = to(["mail", "templates"], { language: this.language });
    return section(
      `${maybe(`mailKind.${this.#kind}`) ?? this.#kind} – ${valueOf(LANGUAGES, this.language)?.name ?? this.language}`,
      html`${isSent ? nothing : html`<p class="hint">${t("mailText.noServer")}</p>`}
        ${this.#places(usual)}
        <div @focusin=${this.#focused}>${form({
          request: "SetMailTextRequest",
          fields,
          ...version(own),
          submit: t("save"),
          current: async () => {
            await this.#state.reload();
            return version(this.#state.value?.own);
          },
          save: (values, _changed, sequence) => this.#set(this.#ownOf(values, usual), sequence),
          look: (values) =>
            html`<keystead-mail-look lang=${this.language} .values=${this.#ownOf(values, usual)}></keystead-mail-look>`,
        })}</div>`,
      {
        lead: t(mailOrganization() ? "mailText.leadOwn" : "mailText.lead"),
        actions: html`<a class="button" href=${back}>${t("mailText.back")}</a>${remove}`,
      },
    );
  }

  /** The places of each field, as buttons that insert them. */
  #places({ fields }: MailPreview): TemplateResult {
    const places = [...new Set(fields.flatMap((each) => each.places))];
    const required = fields.flatMap((each) => each.requiredPlaces);
    return html`<div class="places">
      <h3>${t("mailText.places")}</h3>
      <p class="hint">${t("mailText.placesLead")}</p>
      <ul>${places.map((each) => {
        const isRequired = required.includes(each);
        return html`<li><button type="button" class="quiet" @click=${() => this.#insert(`{${each}}`)}><code>{${each}}</code></button>
          ${maybe(`mailPlace.${each}`) ?? nothing}${isRequired ? html` <span class="optional">${t("mailText.required")}</span>` : nothing}</li>`;
      })}</ul>
    </div>`;
  }

  readonly #focused = ({ target }: FocusEvent): void => {
    if (target instanceof HTMLInputElement || target instanceof HTMLTextAreaElement) this.#control = target;
  };

  #insert(place: string): void {
    const control = this.#control ?? this.querySelector<HTMLTextAreaElement>("textarea");
    if (!control) return;
    const { selectionStart, selectionEnd } = control;
    control.setRangeText(place, selectionStart ?? control.value.length, selectionEnd ?? control.value.length, "end");
    control.dispatchEvent(new Event("input", { bubbles: true }));
    control.focus();
  }

  /** The fields of the own text. One with the usual text is empty, so that it follows later releases. */
  #ownOf(values: Values, { fields }: MailPreview): Values {
    const usual = fields.filter(({ name, text }) => String(values[name]).trim() === text.trim());
    return { ...values, ...Object.fromEntries(usual.map(({ name }) => [name, ""])), mailTextId: this.mailTextId };
  }

  /** Sets the own text; without any, none is kept. */
  async #set(own: Values, sequence?: bigint): Promise<void> {
    const request = messageOf(SetMailTextRequestSchema, own);
    const here = (options: CallOptions) => within(mailOrganization(), options);
    if (Object.keys(LABELS).some((name) => own[name]))
      await change((options) => mails.setMailText(request, here(options)), sequence);
    else if (sequence !== undefined)
      await change((options) => mails.removeMailText({ mailTextId: this.mailTextId }, here(options)), sequence);
  }

  #askToRemove(): void {
    const request = { mailTextId: this.mailTextId };
    askFirst({
      title: t("mailText.removeTitle"),
      action: t("mailText.remove"),
      consequences: async () => [t(mailOrganization() ? "mailText.removeOwnText" : "mailText.removeText")],
      check: () => preview((options) => mails.removeMailText(request, within(mailOrganization(), options))),
      act: async () => {
        await change((options) => mails.removeMailText(request, within(mailOrganization(), options)));
        location.hash = to(["mail", "templates"], { language: this.language });
      },
      done: t("mailText.removed"),
    });
  }
}

/** The element `<keystead-mail-look>`: the mail with the values of the form, whether they are saved or not. */
class MailLook extends LitElement {
  static override properties = { values: { attribute: false } };
  declare values: Values;
  #shown: MailPreview | undefined;
  #isStale = false;
  #asked = "";
  #due: ReturnType<typeof setTimeout> | undefined;

  protected override createRenderRoot(): this {
    return this;
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    clearTimeout(this.#due);
  }

  protected override willUpdate(): void {
    const asked = JSON.stringify(this.values);
    if (asked === this.#asked) return;
    const isFirst = this.#asked === "";
    this.#asked = asked;
    clearTimeout(this.#due);
    this.#due = setTimeout(() => void this.#make(asked), isFirst ? 0 : PAUSE_MILLISECONDS);
  }

  /** The last look stays while the values are not accepted: the form names what is wrong when it is saved. */
  async #make(asked: string): Promise<void> {
    try {
      const request = messageOf(PreviewMailTextRequestSchema, this.values);
      const { preview: made } = await act((options) =>
        mails.previewMailText(request, within(mailOrganization(), options)),
      );
      if (asked !== this.#asked) return;
      this.#shown = made;
      this.#isStale = false;
    } catch {
      if (asked !== this.#asked) return;
      this.#isStale = true;
    }
    this.requestUpdate();
  }

  protected override render(): TemplateResult {
    const stale = html`<p class="hint" role="status">${this.#isStale ? t("mailText.stale") : nothing}</p>`;
    if (!this.#shown) return stale;
    return html`${stale}<p><strong>${this.#shown.subject}</strong></p>${letter(this.#shown.html)}`;
  }
}

customElements.define("keystead-mail-text", MailTextForm);
customElements.define("keystead-mail-look", MailLook);

export function mailTextForm(mailTextId: string, language: string): TemplateResult {
  return html`<keystead-mail-text .mailTextId=${mailTextId} .language=${language}></keystead-mail-text>`;
}
