/** Users: search, list, add. */

import { html, nothing, type TemplateResult } from "lit";
import { type User, UserService } from "../../gen/console/keystead/user/v1/user_service_pb";
import { may } from "../access";
import { change, client, read } from "../api";
import { form } from "../form";
import { empty, head, name, section, table, time, titled } from "../parts";
import { badgesOf } from "../roles";
import { filterBy, go, type Route, to } from "../router";
import { Loaded, type Page, Paged, View } from "../view";
import { t } from "../view_words";
import "./invite";
import "./user";

const users = client(UserService);

const PAGES: Readonly<Record<string, string>> = { new: "keystead-user-new", invite: "keystead-invite" };

export function views({ path }: Route): string {
  return path[1] === undefined ? "keystead-users" : (PAGES[path[1]] ?? "keystead-user");
}

class Users extends View {
  readonly #list = new Paged<User>(this, (token) => this.#page(token));

  readonly #count = new Loaded(this, () => read((options) => users.countUsers({}, options)));

  /** The number of people who have a passkey, once it is known. */
  get #moved(): string {
    const found = this.#count.value;
    return found ? t("users.moved", { some: found.peopleWithPasskey, all: found.people }) : "";
  }

  get #query(): string {
    return this.route.query.get("q") ?? "";
  }

  async #page(pageToken: string): Promise<Page<User>> {
    const page = await read((options) => users.listUsers({ pageToken, query: this.#query }, options));
    return { items: page.users, next: page.nextPageToken };
  }

  readonly #search = (event: Event) => {
    filterBy(event, this.route);
    this.#list.reloadSoon();
  };

  protected override render(): TemplateResult {
    const add = may("UserService/CreateUser")
      ? html`<a class="primary" href=${to(["users", "new"])}>${t("users.add")}</a>`
      : nothing;
    const invite =
      may("UserService/ImportUsers") && may("PasskeyService/InviteUsers")
        ? html`<a class="button" href=${to(["users", "invite"])}>${t("invite")}</a>`
        : nothing;
    return html`${head(t("users"), { actions: html`${invite}${add}`, lead: this.#moved })}
      <search class="filters"><div class="field">
        <label for="user-query">${t("search")}</label>
        <input id="user-query" name="q" type="search" autocomplete="off" spellcheck="false" maxlength="200" placeholder=${t("users.query")} .value=${this.#query} @input=${this.#search} />
      </div></search>
      ${this.#list.render(
        (items) =>
          table(
            t("users"),
            [
              {
                label: t("field.displayName"),
                cell: (each) =>
                  titled(name(each.displayName || each.userName), name(each.userName), ["users", each.userId]),
              },
              { label: t("field.email"), cell: (each) => name(each.email), isWide: true, isText: true },
              { label: t("state"), cell: (each) => badgesOf(each) },
              { label: t("created"), cell: (each) => time(each.details?.creationDate), isWide: true },
            ],
            items,
          ),
        empty(t(this.#query ? "users.noneFound" : "users.none")),
      )}`;
  }
}

class NewUser extends View {
  protected override render(): TemplateResult {
    return html`${head(t("users.add"), { up: [t("users"), to(["users"])], lead: t("users.addLead") })}
      ${section(
        t("details"),
        form({
          request: "CreateUserRequest",
          fields: ["userName", "displayName", "email"],
          values: {},
          submit: t("add"),
          cancel: () => go(["users"]),
          save: async (values) => {
            const { userName = "", displayName = "", email = "" } = values as Record<string, string>;
            const { userId } = await change((options) => users.createUser({ userName, displayName, email }, options));
            go(["users", userId]);
          },
        }),
      )}`;
  }
}

customElements.define("keystead-users", Users);
customElements.define("keystead-user-new", NewUser);
