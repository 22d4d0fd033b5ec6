/** The element `<keystead-person-picker>`: finds users by a part of their names, and gives the chosen one to `chosen`. */

import { html, LitElement, nothing, type TemplateResult } from "lit";
import { type User, UserService } from "../gen/console/keystead/user/v1/user_service_pb";
import { client, read } from "./api";
import { notDone } from "./notice";
import { name } from "./parts";
import { t } from "./view_words";

const users = client(UserService);
const MOST_FOUND = 6;

class PersonPicker extends LitElement {
  static override properties = { label: { attribute: false }, chosen: { attribute: false } };
  declare label: string;
  declare chosen: (user: User) => void;
  #found: readonly User[] = [];
  #query = "";

  protected override createRenderRoot(): this {
    return this;
  }

  protected override render(): TemplateResult {
    return html`<div class="field adder">
      <label for="person-query">${this.label}</label>
      <input id="person-query" type="search" autocomplete="off" spellcheck="false" maxlength="200" placeholder=${t("users.query")} .value=${this.#query} @input=${this.#search} />
      ${
        this.#query === ""
          ? nothing
          : this.#found.length === 0
            ? html`<p class="hint" role="status">${t("users.noneFound")}</p>`
            : html`<ul class="options">${this.#found.map((each) => html`<li><button type="button" @click=${() => this.#choose(each)}>${name(each.displayName || each.userName)} <small>${name(each.userName)}</small></button></li>`)}</ul>`
      }
    </div>`;
  }

  readonly #search = async (event: Event) => {
    const query = (event.target as HTMLInputElement).value.trim();
    this.#query = query;
    if (query !== "") {
      try {
        const page = await read((options) => users.listUsers({ query, pageSize: MOST_FOUND }, options));
        if (this.#query === query) this.#found = page.users;
      } catch (error) {
        notDone(error);
      }
    }
    this.requestUpdate();
  };

  #choose(user: User): void {
    this.#query = "";
    this.requestUpdate();
    this.chosen(user);
  }
}

customElements.define("keystead-person-picker", PersonPicker);
