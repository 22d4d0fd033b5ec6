/** Cards to choose from: programs and providers by name, with a mark. */

import { html, nothing, type ReactiveController, type TemplateResult } from "lit";
import { locale } from "../shared/words";
import { empty } from "./parts";
import type { View } from "./view";
import { t } from "./view_words";

/** A card. */
export interface Choice {
  readonly title: string;
  readonly mark?: SVGSVGElement | undefined;
  /** In place of its first letter, if it has no mark. */
  readonly letter?: string;
  /** Its address. Without one, it cannot be chosen. */
  readonly href?: string;
  /** A line below the title: the reason if it cannot be chosen, in English. */
  readonly second?: string;
}

/** The cards whose title contains the words of a search. */
export class Gallery implements ReactiveController {
  #sought = "";

  constructor(private readonly host: View) {
    host.addController(this);
  }

  hostConnected(): void {}

  readonly #seek = (event: Event) => {
    this.#sought = (event.target as HTMLInputElement).value;
    this.host.requestUpdate();
  };

  render(label: string, choices: readonly Choice[]): TemplateResult {
    const words = this.#sought.toLocaleLowerCase(locale).split(/\s+/);
    const found = choices.filter(({ title }) => words.every((each) => title.toLocaleLowerCase(locale).includes(each)));
    return html`<search class="filters"><div class="field">
        <label for="gallery">${label}</label>
        <input id="gallery" type="search" autocomplete="off" spellcheck="false" .value=${this.#sought} @input=${this.#seek} />
      </div></search>
      ${found.length > 0 ? html`<ul class="gallery">${found.map((each) => html`<li>${card(each)}</li>`)}</ul>` : empty(t("gallery.none"))}`;
  }
}

function card({ title, mark, letter, href, second }: Choice): TemplateResult {
  const parts = html`${markOf(title, mark, letter)}<span class="titled"><span>${title}</span>${second ? html`<small lang=${href ? nothing : "en"}>${second}</small>` : nothing}</span>`;
  return href ? html`<a class="choice" href=${href}>${parts}</a>` : html`<div class="choice">${parts}</div>`;
}

/** The mark of a program or a provider; without one, a letter, which is the first of its title. */
export function markOf(title: string, mark: SVGSVGElement | undefined, letter?: string): TemplateResult {
  const shown = mark ? nothing : (letter ?? ([...title][0] ?? "").toLocaleUpperCase(locale));
  return html`<span class="mark" aria-hidden="true" data-letter=${shown}>${mark ?? nothing}</span>`;
}
