/**
 * Forms from the declarations of requests: the kind, the limits and the values of each field are those of the schema.
 *
 * A form of an object sends the changed fields only, with the version that the person has seen. If somebody else has
 * changed the object, the form shows the difference and keeps the entries.
 */

import type { JsonValue } from "@bufbuild/protobuf";
import { html, LitElement, nothing, type TemplateResult } from "lit";
import { guard } from "lit/directives/guard.js";
import { FORMS } from "../gen/console/forms";
import { imageOf } from "../shared/images";
import { isConflict } from "./api";
import { failed, violationsOf } from "./failure";
import { done } from "./notice";
import { type Key, maybe, t } from "./view_words";

/** The values of a form: the JSON of the message, by the JSON names of its fields. */
export type Values = Readonly<Record<string, JsonValue>>;

/** The part of JSON Schema that the server declares for fields. */
export interface Declared {
  readonly type?: string;
  readonly format?: string;
  readonly pattern?: string;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly maxItems?: number;
  readonly enum?: readonly string[];
  readonly items?: Declared;
  readonly properties?: Readonly<Record<string, Declared>>;
  readonly required?: readonly string[];
}

/** A field of a form in another way than its declaration alone says. */
export interface Entry {
  readonly name: string;
  /** Whether the field is shown, by the other values. */
  readonly when?: (values: Values) => boolean;
  /** Values of a list to choose from, with their texts. */
  readonly choices?: readonly (readonly [value: string, text: string])[];
  /** Values of a text to choose one from, with their texts. */
  readonly options?: readonly (readonly [value: string, text: string])[];
  /** The name of its texts, if a field of another message has the same name. */
  readonly texts?: string;
  /** Whether the object needs it, as far as it is shown; the declaration knows no such conditions. */
  readonly isRequired?: boolean;
  /** The control of the field in place of that of its declaration, within a group of its own. */
  readonly control?: (value: JsonValue | undefined, set: (value: JsonValue) => void) => TemplateResult;
  /** Makes the content of the field from a chosen file, which is taken as it is without it or if it fails. */
  readonly fromFile?: (file: Blob) => Promise<Uint8Array>;
  /** Its label, in place of that of its texts: a name that a person chose. */
  readonly label?: string;
  /** The text that applies while the field is empty. */
  readonly placeholder?: string;
}

export interface FormOptions {
  /** The request that declares the fields. */
  readonly request: keyof typeof FORMS;
  /** The path of the object in the request, if it is not the request itself; of a list, an item is meant. Other fields are those of the request. */
  readonly within?: string;
  /** Declarations of fields that the request does not declare one by one. */
  readonly declared?: Readonly<Record<string, Declared>>;
  /** The fields in their order, and headings between them. */
  readonly fields: readonly (string | Entry | { readonly heading: Key; readonly when?: Entry["when"] })[];
  readonly values: Values;
  /** The label of the button. */
  readonly submit: string;
  /** Whether the form ends or removes something. */
  readonly isDangerous?: boolean;
  /** Saves the values. `changed` are the names of the fields that the person has changed. @throws ConnectError */
  readonly save: (values: Values, changed: readonly string[], sequence?: bigint) => Promise<unknown>;
  /** The version of the object, and a function that reads it again. Without the function, the form makes a new object. */
  readonly sequence?: bigint | undefined;
  readonly current?: () => Promise<Version>;
  /** Refuses values that the declarations allow: a text for the field with this name. */
  readonly refused?: (values: Values) => Readonly<Record<string, string>>;
  /** Shows, below the fields, how the object looks with these values. */
  readonly look?: (values: Values) => TemplateResult;
  /** Called after a form of a new object, or with a button that cancels. */
  readonly cancel?: () => void;
}

/** A version of an object; `undefined` before it has one. */
interface Version {
  readonly values: Values;
  readonly sequence: bigint | undefined;
}

/** A difference between two versions of an object. */
interface Conflict extends Version {
  /** Fields that somebody else has changed. */
  readonly theirs: readonly string[];
}

// Less strict than the server, which knows another release of Unicode.
const LINES = /\r?\n/;
const TEXT_LINES = 1000; // longer texts get several lines

let ids = 0;

/** The forms with entries that are not saved. Whoever leaves one of them is asked. */
const unsaved = new Set<SchemaForm>();

addEventListener("beforeunload", (event) => {
  if (unsaved.size > 0) event.preventDefault();
});
// Without the Navigation API, a browser asks only when the page is closed.
window.navigation?.addEventListener("navigate", (event) => {
  const isWithin = event.destination.sameDocument && event.navigationType !== "replace";
  if (!isWithin || !event.cancelable || unsaved.size === 0) return;
  if (confirm(t("unsaved"))) unsaved.clear();
  else event.preventDefault();
});

/** The element `<keystead-form>`; set `options` once. */
export class SchemaForm extends LitElement {
  static override properties = { options: { attribute: false } };
  declare options: FormOptions;

  readonly #id = `form-${++ids}`;
  #base: Values = {};
  #values: Record<string, JsonValue> = {};
  /** The lines as the person has written them, by field. */
  #lines: Record<string, string> = {};
  #sequence: bigint | undefined;
  #errors: ReadonlyMap<string, string> = new Map();
  #failure: unknown;
  #conflict: Conflict | undefined;
  /** The next attempt of a save, which can follow at once. */
  #again: (() => void) | undefined;
  #isBusy = false;
  /** The entries are saved, and the form stays. */
  #isSettled = false;
  #isFilled = false;
  #isFocusDue = false;

  protected override createRenderRoot(): this {
    return this;
  }

  protected override willUpdate(): void {
    if (this.#isFilled || !this.options) return;
    this.#isFilled = true;
    this.#fill(this.options.values, this.options.sequence);
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    unsaved.delete(this);
  }

  protected override updated(): void {
    if (this.isConnected && this.#isFilled && this.#changed.length > 0 && !this.#isBusy && !this.#isSettled)
      unsaved.add(this);
    else unsaved.delete(this);
    if (!this.#isFocusDue) return;
    this.#isFocusDue = false;
    this.querySelector<HTMLElement>('[aria-invalid="true"], .alert, .conflict')?.focus();
  }

  #fill(values: Values, sequence: bigint | undefined): void {
    this.#base = values;
    this.#values = { ...values };
    this.#lines = {};
    this.#sequence = sequence;
    this.#errors = new Map();
    this.#failure = undefined;
    this.#conflict = undefined;
    this.requestUpdate();
  }

  get #declared(): Declared {
    const request: Declared = FORMS[this.options.request];
    const path = this.options.within?.split(".") ?? [];
    const object = path.reduce((declared, name) => {
      const field = declared.properties?.[name] ?? {};
      return field.items ?? field;
    }, request);
    return { ...object, properties: { ...request.properties, ...object.properties, ...this.options.declared } };
  }

  get #entries(): readonly Entry[] {
    const entries = this.options.fields.flatMap((each) =>
      typeof each === "string" ? { name: each } : "heading" in each ? [] : each,
    );
    return entries.filter(({ when }) => when?.(this.#values) ?? true);
  }

  get #changed(): readonly string[] {
    return this.#entries.map(({ name }) => name).filter((name) => !same(this.#values[name], this.#base[name]));
  }

  protected override render(): TemplateResult | typeof nothing {
    if (!this.options) return nothing;
    const { submit, isDangerous, cancel, current, look } = this.options;
    const isDirty = this.#changed.length > 0;
    return html`<form novalidate @submit=${this.#submit}>
      ${this.options.fields.map((each) => this.#part(each))}
      ${look ? html`<figure class="look"><figcaption>${t("look")}</figcaption><div inert>${look(this.#values)}</div></figure>` : nothing}
      ${this.#conflict ? this.#difference(this.#conflict) : nothing}
      ${this.#failure === undefined ? nothing : failed(this.#failure)}
      <div class="actions">
        <button type="submit" class=${isDangerous ? "danger" : "primary"} aria-disabled=${this.#isBusy} aria-busy=${this.#isBusy}>${submit}</button>
        ${cancel ? html`<button type="button" @click=${() => this.#giveUp(cancel)}>${t("cancel")}</button>` : nothing}
        ${current && isDirty ? html`<button type="button" @click=${() => this.#fill(this.#base, this.#sequence)}>${t("discard")}</button>` : nothing}
      </div>
    </form>`;
  }

  #giveUp(cancel: () => void): void {
    unsaved.delete(this);
    cancel();
  }

  #part(part: FormOptions["fields"][number]): TemplateResult | typeof nothing {
    if (typeof part === "object" && "heading" in part)
      return part.when?.(this.#values) === false ? nothing : html`<h3>${t(part.heading)}</h3>`;
    const entry = typeof part === "string" ? { name: part } : part;
    return this.#entries.some(({ name }) => name === entry.name) ? this.#field(entry) : nothing;
  }

  #field({
    name,
    choices,
    options,
    control,
    texts = name,
    label = labelOf(texts),
    placeholder,
  }: Entry): TemplateResult {
    const declared = this.#declared.properties?.[name] ?? {};
    const value = this.#values[name];
    const id = `${this.#id}-${name}`;
    const error = this.#errors.get(name);
    const hint = hintOf(texts);
    const described = [hint && `${id}-hint`, error && `${id}-error`].filter(Boolean).join(" ") || nothing;
    const attributes = {
      id,
      described,
      invalid: error ? "true" : nothing,
      required: this.#isRequired(name) ? "true" : nothing,
      placeholder: placeholder ?? nothing,
    };
    const errorLine = error
      ? html`<p class="field-error" id="${id}-error"><span aria-hidden="true">⚠ </span>${error}</p>`
      : nothing;
    const hintLine = hint ? html`<p class="hint" id="${id}-hint">${hint}</p>` : nothing;
    if (declared.type === "boolean") {
      return html`<div class="field check">
        <input type="checkbox" id=${id} .checked=${value === true} aria-describedby=${described} @change=${(event: Event) => this.#set(name, (event.target as HTMLInputElement).checked)} />
        <label for=${id}>${label}</label>${hintLine}${errorLine}
      </div>`;
    }
    const isOptional = !this.options.current && !declared.enum && !options && !this.#isRequired(name);
    if (control) {
      return html`<fieldset class="field" id=${id} aria-describedby=${described}>
        <legend>${label}</legend>${hintLine}${control(value, (changed) => this.#set(name, changed))}${errorLine}
      </fieldset>`;
    }
    if (choices) return this.#choices(name, choices, value, id, label, hintLine, errorLine, described);
    return html`<div class="field">
      <label for=${id}>${label}${isOptional ? html` <span class="optional">${t("optional")}</span>` : nothing}</label>
      ${hintLine}${options ? this.#select(name, options, value, attributes) : this.#control(name, declared, value, attributes)}${errorLine}
    </div>`;
  }

  #select(
    name: string,
    options: NonNullable<Entry["options"]>,
    value: JsonValue | undefined,
    { id, described, invalid }: Record<"id" | "described" | "invalid", unknown>,
  ): TemplateResult {
    const choose = (event: Event) => this.#set(name, (event.target as HTMLSelectElement).value);
    return html`<select id=${id} aria-describedby=${described} aria-invalid=${invalid} @change=${choose}>
      ${options.map(([each, text]) => html`<option value=${each} ?selected=${each === (value ?? "")}>${text}</option>`)}
    </select>`;
  }

  #control(
    name: string,
    declared: Declared,
    value: JsonValue | undefined,
    {
      id,
      described,
      invalid,
      required,
      placeholder,
    }: Record<"id" | "described" | "invalid" | "required" | "placeholder", unknown>,
  ): TemplateResult {
    const input = (event: Event) => this.#set(name, (event.target as HTMLInputElement).value);
    if (declared.enum) {
      const values = this.#isRequired(name)
        ? declared.enum.filter((each) => !each.endsWith("_UNSPECIFIED"))
        : declared.enum;
      return html`<select id=${id} aria-describedby=${described} aria-invalid=${invalid} aria-required=${required} @change=${input}>
        ${this.#isRequired(name) && !values.includes(String(value)) ? html`<option value="" selected>${t("choose")}</option>` : nothing}
        ${values.map((each) => html`<option value=${each} ?selected=${each === value}>${textOfValue(each)}</option>`)}
      </select>`;
    }
    if (declared.type === "array" || declared.type === "object") {
      const isMap = declared.type === "object";
      const lines = (event: Event) => {
        const text = (event.target as HTMLTextAreaElement).value;
        const written = text
          .split(LINES)
          .map((each) => each.trim())
          .filter(Boolean);
        this.#lines[name] = text;
        this.#set(name, isMap ? Object.fromEntries(written.map(pairOf)) : written);
      };
      const list = isMap
        ? Object.entries(value ?? {}).map(([key, each]) => `${key}=${each}`)
        : ((value as string[] | undefined) ?? []);
      return html`<textarea id=${id} rows=${Math.min(Math.max(list.length + 1, 2), 8)} spellcheck="false" autocapitalize="off" aria-describedby=${described} aria-invalid=${invalid} aria-required=${required} .value=${this.#lines[name] ?? list.join("\n")} @input=${lines}></textarea>`;
    }
    if (declared.format === "binary") return this.#image(name, String(value ?? ""), String(id), described);
    if ((declared.maxLength ?? 0) > TEXT_LINES && !declared.pattern?.includes("https")) {
      return html`<textarea id=${id} rows="4" spellcheck="false" placeholder=${placeholder} aria-describedby=${described} aria-invalid=${invalid} aria-required=${required} .value=${String(value ?? "")} @input=${input}></textarea>`;
    }
    if (declared.format === "date-time") {
      const moment = (event: Event) => {
        const { value: local } = event.target as HTMLInputElement;
        this.#set(name, local === "" ? null : new Date(local).toISOString());
      };
      return html`<input id=${id} type="datetime-local" aria-describedby=${described} aria-invalid=${invalid} aria-required=${required} .value=${localOf(value)} @input=${moment} />`;
    }
    const isNumber = declared.type === "integer";
    const number = (event: Event) => this.#set(name, Number((event.target as HTMLInputElement).value || 0));
    return html`<input id=${id} type=${declared.format === "password" ? "password" : "text"}
      inputmode=${isNumber ? "numeric" : declared.format === "idn-email" ? "email" : nothing}
      autocomplete=${declared.format === "password" ? "new-password" : "off"} autocapitalize="off" spellcheck="false"
      placeholder=${placeholder} aria-describedby=${described} aria-invalid=${invalid} aria-required=${required}
      .value=${isNumber && !value ? "" : String(value ?? "")} @input=${isNumber ? number : input} />`;
  }

  #choices(
    name: string,
    choices: NonNullable<Entry["choices"]>,
    value: JsonValue | undefined,
    id: string,
    ...[label, hint, error, described]: unknown[]
  ): TemplateResult {
    const chosen = (value as string[] | undefined) ?? [];
    const toggle = (each: string) =>
      this.#set(name, chosen.includes(each) ? chosen.filter((other) => other !== each) : [...chosen, each]);
    return html`<fieldset class="field" id=${id} aria-describedby=${described as string}>
      <legend>${label}</legend>${hint}
      ${choices.length === 0 ? html`<p class="empty">${t("nothingToChoose")}</p>` : nothing}
      ${choices.map(([each, text], index) => html`<div class="check"><input type="checkbox" id="${id}-${index}" .checked=${chosen.includes(each)} @change=${() => toggle(each)} /><label for="${id}-${index}">${text}</label></div>`)}
      ${error}
    </fieldset>`;
  }

  #image(name: string, value: string, id: string, described: unknown): TemplateResult {
    const read = async (event: Event) => {
      const [file] = (event.target as HTMLInputElement).files ?? [];
      if (!file) return;
      const { fromFile } = this.#entries.find((each) => each.name === name) ?? {};
      const content = await fromFile?.(file).catch(() => undefined);
      this.#set(name, base64(content ?? new Uint8Array(await file.arrayBuffer())));
    };
    const bytes = Uint8Array.from(atob(value), (each) => each.charCodeAt(0));
    return html`<div class="image">${guard([value], () => imageOf(bytes, 40) ?? nothing)}<input type="file" id=${id} accept="image/png,image/jpeg,image/webp" aria-describedby=${described} @change=${read} />
      ${value ? html`<button type="button" @click=${() => this.#set(name, "")}>${t("removeImage")}</button>` : nothing}</div>`;
  }

  #difference({ values, theirs }: Conflict): TemplateResult {
    const mine = this.#changed;
    return html`<div class="conflict" role="alert" tabindex="-1">
      <h3>${t("conflict.title")}</h3>
      <p>${t("conflict.text")}</p>
      <table>
        <caption class="hidden">${t("conflict.title")}</caption>
        <thead><tr><th scope="col">${t("conflict.field")}</th><th scope="col">${t("conflict.theirs")}</th><th scope="col">${t("conflict.mine")}</th></tr></thead>
        <tbody>${[...new Set([...theirs, ...mine])].map(
          (each) => html`<tr>
          <th scope="row">${this.#entries.find(({ name }) => name === each)?.label ?? labelOf(each)}</th>
          <td>${theirs.includes(each) ? html`<ins>${this.#shown(each, values[each])}</ins>` : this.#shown(each, values[each])}</td>
          <td>${mine.includes(each) ? html`<ins>${this.#shown(each, this.#values[each])}</ins>` : html`<span class="optional">${t("conflict.unchanged")}</span>`}</td>
        </tr>`,
        )}</tbody>
      </table>
      <div class="actions">
        <button type="button" @click=${() => this.#resolve(true)}>${t("conflict.keepMine")}</button>
        <button type="button" @click=${() => this.#resolve(false)}>${t("conflict.takeTheirs")}</button>
      </div>
    </div>`;
  }

  #shown(name: string, value: JsonValue | undefined): string {
    const declared = this.#declared.properties?.[name];
    if (declared?.format === "password") return value ? "••••••" : "–";
    if (declared?.format === "binary") return value ? t("image") : "–";
    if (typeof value === "boolean") return t(value ? "yes" : "no");
    if (declared?.enum) return textOfValue(String(value));
    if (Array.isArray(value)) return value.length > 0 ? value.join(", ") : "–";
    return value === undefined || value === "" ? "–" : String(value);
  }

  /** Continues from the other version: with the entries of the person on top of it, or without them. */
  #resolve(isMine: boolean): void {
    if (this.#conflict) this.#rebase(this.#conflict, isMine);
  }

  #rebase({ values, sequence }: Conflict, isMine: boolean): void {
    const mine = Object.fromEntries(this.#changed.map((name) => [name, this.#values[name] as JsonValue]));
    this.#fill(values, sequence);
    if (!isMine) return;
    this.#values = { ...values, ...mine };
    void this.#save();
  }

  #set(name: string, value: JsonValue): void {
    this.#values = { ...this.#values, [name]: value };
    this.#isSettled = false;
    if (this.#errors.has(name)) this.#errors = new Map([...this.#errors].filter(([each]) => each !== name));
    this.requestUpdate();
  }

  #isRequired(name: string): boolean {
    const declared = this.#declared.properties?.[name];
    if (this.#entries.some((each) => each.name === name && each.isRequired)) return true;
    // A patch requires no field, but its text cannot become empty.
    return this.#declared.required?.includes(name) || (declared?.minLength ?? 0) > 0;
  }

  readonly #submit = (event: Event) => {
    event.preventDefault();
    const refused = this.options.refused?.(this.#values) ?? {};
    const errors = this.#entries.flatMap(({ name }) => {
      const error = this.#errorOf(name) ?? refused[name];
      return error ? ([[name, error]] as const) : [];
    });
    this.#errors = new Map(errors);
    this.#isFocusDue = errors.length > 0;
    this.requestUpdate();
    if (errors.length === 0) void this.#save();
  };

  /** The violated limit of a field in words, as far as the declaration says. */
  #errorOf(name: string): string | undefined {
    const declared = this.#declared.properties?.[name] ?? {};
    const value = this.#values[name];
    if (declared.enum && this.#isRequired(name) && (!value || String(value).endsWith("_UNSPECIFIED")))
      return t("limit.choose");
    if (declared.type === "array" && this.#isRequired(name) && !(value as JsonValue[] | undefined)?.length)
      return t("limit.required");
    if (Array.isArray(value)) {
      return declared.maxItems !== undefined && value.length > declared.maxItems
        ? t("limit.maxItems", { most: declared.maxItems })
        : undefined;
    }
    if (declared.type === "integer") {
      if (!Number.isInteger(value ?? 0)) return t("limit.number");
      const number = Number(value ?? 0);
      const { minimum = number, maximum = number } = declared;
      return number < minimum || number > maximum ? t("limit.range", { least: minimum, most: maximum }) : undefined;
    }
    if (declared.type === "object") {
      const line = Object.entries(value ?? {}).findIndex(([, each]) => each === "");
      return line < 0 ? undefined : t("limit.item", { number: line + 1, text: t("limit.pair") });
    }
    if (declared.type !== "string" || declared.enum || declared.format === "binary") return undefined;
    const text = String(value ?? "");
    if (text.trim() === "" && this.#isRequired(name)) return t("limit.required");
    if (declared.maxLength !== undefined && [...text].length > declared.maxLength)
      return t("limit.maxLength", { most: declared.maxLength });
    if (declared.pattern && text !== "" && !new RegExp(declared.pattern, "u").test(text))
      return (
        maybe(`pattern.${this.#textsOf(name)}`) ??
        maybe(`pattern.${name}`) ??
        wayToWrite(declared.pattern, this.#textsOf(name))
      );
    return undefined;
  }

  #textsOf(name: string): string {
    return this.#entries.find((each) => each.name === name)?.texts ?? name;
  }

  async #save(): Promise<void> {
    const { save, current } = this.options;
    if (this.#isBusy) return;
    const changed = this.#changed;
    if (current && changed.length === 0) return done(t("nothingChanged"));
    this.#isBusy = true;
    this.#failure = undefined;
    this.requestUpdate();
    const [before, values] = [this.#base, this.#values];
    try {
      await save(values, changed, this.#sequence);
      this.#isSettled = true;
      if (current) {
        const saved = await current();
        this.#fill(saved.values, saved.sequence);
        done(t("saved"), () => this.#undo(before, changed));
      }
    } catch (error) {
      await this.#refused(error);
    } finally {
      this.#isBusy = false;
      this.requestUpdate();
    }
    const again = this.#again;
    this.#again = undefined;
    again?.();
  }

  /** Saves the former values of the fields, unless somebody has changed the object since. */
  async #undo(before: Values, changed: readonly string[]): Promise<void> {
    const { save, current } = this.options;
    await save({ ...this.#base, ...before }, changed, this.#sequence);
    const saved = await current?.();
    if (saved) this.#fill(saved.values, saved.sequence);
  }

  async #refused(error: unknown): Promise<void> {
    const { current, within } = this.options;
    this.#isFocusDue = true;
    if (current && isConflict(error)) {
      try {
        const { values, sequence } = await current();
        const theirs = Object.keys(values).filter(
          (name) => !same(values[name], this.#base[name]) && this.#entries.some((each) => each.name === name),
        );
        const conflict = { values, sequence, theirs };
        // Of an object with several forms, another part was changed.
        if (theirs.length === 0) this.#again = () => this.#rebase(conflict, true);
        else this.#conflict = conflict;
      } catch (failure) {
        this.#failure = failure;
      }
      return;
    }
    const shown = new Set(this.#entries.map(({ name }) => name));
    const own = [...violationsOf(error)].map(([field, text]) => {
      const path = within && field.startsWith(`${within}.`) ? field.slice(within.length + 1) : field;
      const [name = "", ...rest] = path.replace(/^\d+\./, "").split(".");
      return [
        name,
        rest.length > 0 && /^\d+$/.test(rest[0] ?? "") ? t("limit.item", { number: Number(rest[0]) + 1, text }) : text,
      ] as const;
    });
    this.#errors = new Map(own.filter(([name]) => shown.has(name)));
    // Violations of fields that the form does not have are in the alert.
    if (this.#errors.size === 0 || own.some(([name]) => !shown.has(name))) this.#failure = error;
  }
}

customElements.define("keystead-form", SchemaForm);

/** The form as a part of a view. `key` tells forms of different objects from each other. */
export function form(options: FormOptions): TemplateResult {
  return html`<keystead-form .options=${options}></keystead-form>`;
}

export function labelOf(name: string): string {
  return maybe(`field.${name}`) ?? name;
}

/** How to write a value of this pattern: with these characters, as an address, as the hint has it, or without invisible ones. */
function wayToWrite(pattern: string, texts: string): string {
  const characters = /^\^\[([^\\\]^]+)\]\+\$$/.exec(pattern)?.[1]?.match(/.-.|./gu);
  if (characters) return t("limit.characters", { characters: characters.join(" ") });
  if (pattern.includes("https")) return t("pattern.issuer");
  return t(hintOf(texts) && !pattern.includes("\\x00") ? "limit.described" : "limit.pattern");
}

function hintOf(name: string): string | undefined {
  return maybe(`hint.${name}`);
}

/** The text of a value of an enumeration. */
export function textOfValue(value: string): string {
  return maybe(`value.${value}`) ?? (value.endsWith("_UNSPECIFIED") ? t("default") : value);
}

/** A line `name=value` of a map. */
function pairOf(line: string): [name: string, value: string] {
  const [key = "", ...rest] = line.split("=");
  return [key.trim(), rest.join("=").trim()];
}

/** A timestamp as the local time of `datetime-local`. */
export function localOf(timestamp: JsonValue | undefined): string {
  if (!timestamp) return "";
  const date = new Date(String(timestamp));
  return new Date(date.getTime() - date.getTimezoneOffset() * 60_000).toISOString().slice(0, 16);
}

function same(one: JsonValue | undefined, other: JsonValue | undefined): boolean {
  return JSON.stringify(one ?? null) === JSON.stringify(other ?? null);
}

function base64(bytes: Uint8Array): string {
  return btoa(bytes.reduce((text, byte) => text + String.fromCharCode(byte), ""));
}
