/** Users: search, list, add; those without a passkey of the present domain. */

import { html, nothing, type TemplateResult } from "lit";
import {
  type ListUnmovedUsersResponse,
  PasskeyService,
  type UnmovedUser,
} from "../../gen/console/keystead/passkey/v1/passkey_service_pb";
import { type User, UserService } from "../../gen/console/keystead/user/v1/user_service_pb";
import { may } from "../access";
import { change, client, read } from "../api";
import { form } from "../form";
import { empty, head, name, section, table, time, titled } from "../parts";
import { badgesOf } from "../roles";
import { filterBy, go, type Route, to } from "../router";
import { Loaded, type Page, Paged, View } from "../view";
import { t, th } from "../view_words";
import "./invite";
import "./user";

const users = client(UserService);
const passkeys = client(PasskeyService);
const VIEWS: Readonly<Record<string, string>> = {
  new: "keystead-user-new",
  invite: "keystead-invite",
  unmoved: "keystead-users-unmoved",
};

export function views({ path }: Route): string {
  return path[1] === undefined ? "keystead-users" : (VIEWS[path[1]] ?? "keystead-user");
}

class Users extends View {
  readonly #list = new Paged<User>(this, (token) => this.#page(token));
  #move: Loaded<ListUnmovedUsersResponse> | undefined;

  override connectedCallback(): void {
    if (may("PasskeyService/ListUnmovedUsers")) this.#move ??= new Loaded(this, () => unmoved("", 1));
    super.connectedCallback();
  }

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
    return html`${head(t("users"), { actions: html`${invite}${add}`, lead: html`${this.#moved} ${leadOf(this.#move?.value)}` })}
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

/** How many users have moved from former domains; nothing if none had to. */
function leadOf(move: ListUnmovedUsersResponse | undefined): TemplateResult | undefined {
  if (!move?.userCount) return undefined;
  const numbers = { moved: String(move.movedCount), users: String(move.userCount), domain: name(move.rpId) };
  const rest = move.unmovedCount && html` <a href=${to(["users", "unmoved"])}>${t("users.toUnmoved")}</a>`;
  return html`${th("users.onDomain", numbers)}${rest || nothing}`;
}

function unmoved(pageToken: string, pageSize = 0): Promise<ListUnmovedUsersResponse> {
  return read((options) => passkeys.listUnmovedUsers({ pageToken, pageSize }, options));
}

class Unmoved extends View {
  readonly #list = new Paged<UnmovedUser>(this, async (token) => {
    const page = await unmoved(token);
    return { items: page.users, next: page.nextPageToken };
  });

  protected override render(): TemplateResult {
    return html`${head(t("users.unmoved"), { up: [t("users"), to(["users"])], lead: t("users.unmovedLead") })}
      ${this.#list.render(
        (items) =>
          table(
            t("users.unmoved"),
            [
              {
                label: t("field.displayName"),
                cell: (each) =>
                  titled(name(each.displayName || each.userName), name(each.userName), ["users", each.userId], {
                    org: each.orgId,
                  }),
              },
              { label: t("field.email"), cell: (each) => name(each.email), isText: true },
            ],
            items,
          ),
        empty(t("users.allMoved")),
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
customElements.define("keystead-users-unmoved", Unmoved);
