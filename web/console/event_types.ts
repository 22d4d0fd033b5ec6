/** The element `<keystead-event-types>`: the types of events to choose from, in groups, each with its sentence. */

import { html, LitElement, nothing, type TemplateResult } from "lit";
import { FORMS } from "../gen/console/forms";
import { maybe, t } from "./view_words";

/** The types, and the groups `user.*`, as the server declares them. */
const DECLARED: readonly string[] =
  FORMS.CreateSubscriptionRequest.properties.subscription.properties.eventTypes.items.enum;
const GROUPS = DECLARED.filter((each) => each.endsWith(".*"));

/** The types that begin as a group. */
function typesOf(group: string): readonly string[] {
  return DECLARED.filter((each) => each.startsWith(group.slice(0, -1)) && each !== group);
}

/** The kind of object of a group: "User". */
function kindOf(group: string): string {
  return maybe(`event.of.${group.slice(0, -2)}`) ?? group.slice(0, -2);
}

/** The sentence of a type without names: "Somebody added the group …". */
export function sentenceOf(type: string): string {
  return (maybe(`event.${type}`) ?? type).replace(/\{(\w+)\}/g, (_, value: string, at: number) => {
    if (value === "device" || value === "and_ended") return "";
    if (value === "account") return t("events.ownAccount");
    return at === 0 ? t("eventTypes.somebody") : "…";
  });
}

/** The options of a `<select>`: groups, and the types of each. */
export function typeOptions(selected: string): TemplateResult {
  const option = (value: string, text: string) =>
    html`<option value=${value} ?selected=${value === selected}>${text}</option>`;
  return html`${GROUPS.map((group) => option(group, t("eventTypes.all", { kind: kindOf(group) })))}<hr />${GROUPS.map(
    (group) =>
      html`<optgroup label=${kindOf(group)}>${typesOf(group).map((each) => option(each, sentenceOf(each)))}</optgroup>`,
  )}`;
}

class EventTypes extends LitElement {
  static override properties = { value: { attribute: false }, changed: { attribute: false } };
  declare value: readonly string[];
  declare changed: (value: string[]) => void;
  #query = "";

  protected override createRenderRoot(): this {
    return this;
  }

  protected override render(): TemplateResult {
    const words = this.#query.toLowerCase().split(/\s+/).filter(Boolean);
    const isFound = (type: string, group: string) => {
      const text = `${type} ${kindOf(group)} ${sentenceOf(type)}`.toLowerCase();
      return words.every((each) => text.includes(each));
    };
    const found = GROUPS.map((group) => [group, typesOf(group).filter((each) => isFound(each, group))] as const);
    const shown = found.filter(([, types]) => types.length > 0);
    return html`<input type="search" class="types-query" autocomplete="off" spellcheck="false" aria-label=${t("eventTypes.search")} placeholder=${t("eventTypes.search")} .value=${this.#query} @input=${this.#search} />
      ${shown.length === 0 ? html`<p class="empty" role="status">${t("eventTypes.none")}</p>` : nothing}
      ${shown.map(([group, types]) => this.#group(group, types, words.length > 0))}`;
  }

  #group(group: string, types: readonly string[], isSearch: boolean): TemplateResult {
    const isWhole = this.value.includes(group);
    const chosen = typesOf(group).filter((each) => this.value.includes(each));
    const count = isWhole ? t("events.all") : chosen.length > 0 ? String(chosen.length) : "";
    return html`<details class="types" ?open=${isSearch}>
      <summary>${kindOf(group)}${count ? html` <span class="tag plain">${count}</span>` : nothing}</summary>
      ${this.#box(group, html`${t("eventTypes.all", { kind: kindOf(group) })} <small><code>${group}</code> ${t("eventTypes.later")}</small>`, isWhole, false)}
      ${types.map((each) => this.#box(each, html`${sentenceOf(each)} <small><code>${each}</code></small>`, isWhole || this.value.includes(each), isWhole))}
    </details>`;
  }

  #box(type: string, label: TemplateResult, isChosen: boolean, isDisabled: boolean): TemplateResult {
    const id = `type-${type.replace("*", "all")}`;
    return html`<div class="check"><input type="checkbox" id=${id} .checked=${isChosen} ?disabled=${isDisabled} @change=${() => this.#toggle(type)} /><label for=${id}>${label}</label></div>`;
  }

  /** A group takes the place of its types. */
  #toggle(type: string): void {
    const isRemoved = this.value.includes(type);
    const within = type.endsWith(".*") ? typesOf(type) : [];
    const left = this.value.filter((each) => each !== type && !within.includes(each));
    this.changed(isRemoved ? left : [...left, type]);
  }

  readonly #search = (event: Event) => {
    this.#query = (event.target as HTMLInputElement).value;
    this.requestUpdate();
  };
}

customElements.define("keystead-event-types", EventTypes);
