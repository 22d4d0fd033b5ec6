/** The element `<keystead-object-picker>`: finds people, groups, applications and others by name, and gives the ID to `chosen`. */

import { html, LitElement, nothing, type TemplateResult } from "lit";
import { UserService } from "../gen/console/keystead/user/v1/user_service_pb";
import { may, type Method } from "./access";
import { client, read } from "./api";
import { notDone } from "./notice";
import { name } from "./parts";
import { maybe, t } from "./view_words";

/** An object by its ID, with its name and a second text that tells it from others. */
interface Found {
  readonly id: string;
  readonly kind: string;
  readonly title: string;
  readonly second: string;
}

const users = client(UserService);
const MOST_FOUND = 5;
/** Events of removed objects have IDs only. */
const ID = /^(?=.*\d)[\w.:-]{8,128}$/;

/** The objects that a text finds, by kind. */
const SEARCHES: Readonly<
  Record<string, readonly [Method, (query: string) => Promise<readonly Omit<Found, "kind">[]>]>
> = {
  user: [
    "UserService/ListUsers",
    async (query) => {
      const page = await read((options) => users.listUsers({ query, pageSize: MOST_FOUND }, options));
      return page.users.map((each) => ({
        id: each.userId,
        title: each.displayName || each.userName,
        second: each.userName,
      }));
    },
  ],
  group: [
    "GroupService/ListGroups",
    async (query) => {
      const { GroupService } = await import("../gen/console/keystead/group/v1/group_service_pb");
      const page = await read((options) => client(GroupService).listGroups({ query, pageSize: MOST_FOUND }, options));
      return page.groups.map((each) => ({ id: each.groupId, title: each.displayName || each.name, second: each.name }));
    },
  ],
  application: [
    "ApplicationService/ListApplications",
    async (query) => {
      const { ApplicationService } = await import("../gen/console/keystead/application/v1/application_service_pb");
      const page = await read((options) =>
        client(ApplicationService).listApplications({ query, pageSize: MOST_FOUND }, options),
      );
      return page.applications.map((each) => ({ id: each.applicationId, title: each.name, second: "" }));
    },
  ],
  idp: [
    "IdentityProviderService/ListIDPs",
    async (query) => {
      const { IdentityProviderService } = await import("../gen/console/keystead/idp/v1/identity_provider_service_pb");
      const page = await read((options) => client(IdentityProviderService).listIDPs({ pageSize: 200 }, options));
      return page.idps
        .filter((each) => each.name.toLowerCase().includes(query.toLowerCase()) || each.idpId === query)
        .slice(0, MOST_FOUND)
        .map((each) => ({ id: each.idpId, title: each.name, second: "" }));
    },
  ],
};

class ObjectPicker extends LitElement {
  static override properties = {
    label: { attribute: false },
    kinds: { attribute: false },
    chosen: { attribute: false },
  };
  declare label: string;
  /** The kinds to find; all without any. */
  declare kinds: readonly string[];
  declare chosen: (id: string, title: string, kind: string) => void;
  #found: readonly Found[] = [];
  #query = "";
  #isFound = false;

  constructor() {
    super();
    this.kinds = [];
  }

  protected override createRenderRoot(): this {
    return this;
  }

  protected override render(): TemplateResult {
    const id = `object-query-${this.kinds.join("-") || "any"}`;
    return html`<div class="field adder">
      <label for=${id}>${this.label}</label>
      <input id=${id} type="search" autocomplete="off" spellcheck="false" maxlength="200" placeholder=${t(this.kinds.join() === "user" ? "users.query" : "picker.query")} .value=${this.#query} @input=${this.#search} />
      ${
        this.#query === "" || !this.#isFound
          ? nothing
          : html`<ul class="options" ?hidden=${this.#found.length === 0 && !ID.test(this.#query)}>${this.#found.map((each) => this.#option(each))}
            ${ID.test(this.#query) ? html`<li><button type="button" @click=${() => this.#choose(this.#query, "", "")}>${t("picker.byId")} <small><code>${this.#query}</code></small></button></li>` : nothing}</ul>
            ${this.#found.length === 0 && !ID.test(this.#query) ? html`<p class="hint" role="status">${t("picker.none")}</p>` : nothing}`
      }
    </div>`;
  }

  #option({ id, kind, title, second }: Found): TemplateResult {
    return html`<li><button type="button" @click=${() => this.#choose(id, title, kind)}>${name(title)} <small>${second && second !== title ? html`${name(second)} · ` : nothing}${maybe(`event.of.${kind}`)}</small></button></li>`;
  }

  readonly #search = async (event: Event) => {
    const query = (event.target as HTMLInputElement).value.trim();
    this.#query = query;
    this.requestUpdate();
    if (query === "") return;
    try {
      const kinds = Object.entries(SEARCHES).filter(
        ([kind, [method]]) => may(method) && (this.kinds.length === 0 || this.kinds.includes(kind)),
      );
      const found = await Promise.all(
        kinds.map(async ([kind, [, search]]) => (await search(query)).map((each) => ({ ...each, kind }))),
      );
      if (this.#query !== query) return;
      this.#found = found.flat();
      this.#isFound = true;
      this.requestUpdate();
    } catch (error) {
      notDone(error);
    }
  };

  #choose(id: string, title: string, kind: string): void {
    this.#query = "";
    this.#isFound = false;
    this.requestUpdate();
    this.chosen(id, title, kind);
  }
}

customElements.define("keystead-object-picker", ObjectPicker);
