/** Users: search, filter, list, add; changes of many; those without a passkey of the present domain. */

import { timestampDate } from "@bufbuild/protobuf/wkt";
import { html, nothing, type TemplateResult } from "lit";
import { type Group, GroupService } from "../../gen/console/keystead/group/v1/group_service_pb";
import {
  type ListUnmovedUsersResponse,
  PasskeyService,
  type UnmovedUser,
} from "../../gen/console/keystead/passkey/v1/passkey_service_pb";
import {
  Role,
  type RoleGrant,
  type User,
  UserService,
  UserState,
} from "../../gen/console/keystead/user/v1/user_service_pb";
import { ALL_ROLES, may, me } from "../access";
import { change, client, read } from "../api";
import { save } from "../csv";
import { form } from "../form";
import { type Many, selectionBar } from "../many_users";
import { done, notDone } from "../notice";
import { badge, empty, head, name, section, table, time, titled } from "../parts";
import { badgesOf, endOf, grantedBy, roleName } from "../roles";
import { filterBy, go, own, type Route, setFilter, to } from "../router";
import { Loaded, type Page, Paged, totalOf, View } from "../view";
import { counted, type Key, t, th } from "../view_words";
import "./invite";
import "./user";

const users = client(UserService);
const passkeys = client(PasskeyService);
const groups = client(GroupService);
const VIEWS: Readonly<Record<string, string>> = {
  new: "keystead-user-new",
  invite: "keystead-invite",
  unmoved: "keystead-users-unmoved",
  administrators: "keystead-administrators",
};

const DAY_MILLISECONDS = 86_400_000;
const EXPORT_PAGE_SIZE = 200;
/** The choices of a filter by their values in the address, with the comparison of each. */
type Comparisons = Readonly<Record<string, string>>;
const STATES: Comparisons = { active: "state = ACTIVE", invited: "state = INVITED", locked: "state = LOCKED" };
const PASSKEYS: Comparisons = { none: "passkey_count = 0", one: "passkey_count = 1", more: "passkey_count > 1" };
/** Days, within which or before which they signed in last. */
const WITHIN: Readonly<Record<string, number>> = { in7: 7, in30: 30 };
const BEFORE: Readonly<Record<string, number>> = { 30: 30, 90: 90, 365: 365 };
const BY_NAME = "display_name";
const ORDERS: Comparisons = {
  reverse: `${BY_NAME} desc`,
  id: "",
  newest: "creation_date desc",
  seen: "last_sign_in_at desc",
  unseen: "last_sign_in_at",
  invited: "invited_at desc",
};

export function views({ path }: Route): string {
  return path[1] === undefined ? "keystead-users" : (own(VIEWS, path[1]) ?? "keystead-user");
}

/** The comparison with the time of the last sign-in; days begin in UTC, as those of the figures. */
function lastSignIn(chosen: string): string | undefined {
  if (chosen === "never") return "NOT last_sign_in_at:*";
  const within = own(WITHIN, chosen);
  const days = within ?? own(BEFORE, chosen);
  if (days === undefined) return undefined;
  const since = new Date(Date.now() - days * DAY_MILLISECONDS).toISOString().slice(0, 10);
  return `last_sign_in_at ${within === undefined ? "<" : ">="} ${since}T00:00:00Z`;
}

/** As on the page of one user, nobody locks or removes itself. */
const isOther = ({ userId }: User) => userId !== me().userId;

class Users extends View {
  readonly #list = new Paged<User>(this, (token) => this.#page(token));
  #move: Loaded<ListUnmovedUsersResponse> | undefined;
  #groups: Loaded<Group[]> | undefined;

  override connectedCallback(): void {
    if (may("PasskeyService/ListUnmovedUsers")) this.#move ??= new Loaded(this, () => unmoved("", 1));
    if (may("GroupService/ListGroups")) {
      this.#groups ??= new Loaded(
        this,
        async () => (await read((options) => groups.listGroups({ pageSize: 200 }, options))).groups,
      );
    }
    super.connectedCallback();
  }

  readonly #count = new Loaded(this, () => read((options) => users.countUsers({}, options)));

  /** The number of people who have a passkey, once it is known. */
  get #moved(): string {
    const found = this.#count.value;
    return found ? t("users.moved", { some: found.peopleWithPasskey, all: found.people }) : "";
  }
  readonly #selected: Many = new Map();
  #total = "";

  #chosen(key: string): string {
    return this.route.query.get(key) ?? "";
  }

  /** The filters of the address. */
  get #request() {
    const role = this.#chosen("role");
    const comparisons = [
      own(STATES, this.#chosen("state")),
      own(PASSKEYS, this.#chosen("passkeys")),
      this.#chosen("group") && `groups:${this.#chosen("group")}`,
      role && `roles:${role === "any" ? "*" : role}`,
      lastSignIn(this.#chosen("seen")),
    ];
    return {
      query: this.#chosen("q"),
      filter: comparisons.filter(Boolean).join(" AND "),
      orderBy: own(ORDERS, this.#chosen("order")) ?? BY_NAME,
    };
  }

  async #page(pageToken: string): Promise<Page<User>> {
    const isFirst = pageToken === "";
    // The number of users that a text finds is known only among the first ones.
    const request = { ...this.#request, pageToken, withTotalSize: isFirst && !this.#chosen("q") };
    const page = await read((options) => users.listUsers(request, options));
    if (isFirst) {
      this.#total = request.withTotalSize ? totalOf(page) : "";
    }
    return { items: page.users, next: page.nextPageToken };
  }

  readonly #filter = (event: Event) => {
    filterBy(event, this.route);
    this.#again();
  };

  /** The order by name, or its reverse. */
  get #byName() {
    const { orderBy } = this.#request;
    const is = orderBy === BY_NAME ? "ascending" : orderBy === ORDERS.reverse ? "descending" : "none";
    const change = () => {
      setFilter("order", is === "ascending" ? "reverse" : "", this.route);
      this.#again();
      this.requestUpdate();
    };
    return { is, change } as const;
  }

  #again(): void {
    this.#selected.clear();
    this.#list.reloadSoon();
  }

  readonly #changed = async () => {
    this.#selected.clear();
    await this.#list.reload();
    await this.updateComplete;
    // The button that had the focus has gone with the selection, and the closed dialog may still have it.
    if (document.activeElement?.matches("body, dialog:not([open]) *"))
      this.querySelector<HTMLElement>("#users-select-all")?.focus();
  };

  #select({ userId, displayName, userName }: User, isSelected: boolean): void {
    if (isSelected) this.#selected.set(userId, displayName || userName);
    else this.#selected.delete(userId);
    this.requestUpdate();
  }

  readonly #export = async () => {
    try {
      const found: User[] = [];
      for (let pageToken = "", isFirst = true; isFirst || pageToken; isFirst = false) {
        const request = { ...this.#request, pageToken, pageSize: EXPORT_PAGE_SIZE };
        const page = await read((options) => users.listUsers(request, options));
        found.push(...page.users);
        pageToken = page.nextPageToken;
      }
      save("users.csv", [
        COLUMNS.map(([label]) => label),
        ...found.map((user) => COLUMNS.map(([, cell]) => cell(user))),
      ]);
      done(counted("exported", found.length));
    } catch (error) {
      notDone(error);
    }
  };

  #choice(key: string, label: Key, choices: readonly (readonly [value: string, text: string])[]): TemplateResult {
    return html`<div class="field"><label for="users-${key}">${t(label)}</label><select id="users-${key}" name=${key} @change=${this.#filter}>
      ${choices.map(([value, text]) => html`<option value=${value} .selected=${value === this.#chosen(key)}>${text}</option>`)}
    </select></div>`;
  }

  protected override render(): TemplateResult {
    const add = may("UserService/CreateUser")
      ? html`<a class="primary" href=${to(["users", "new"])}>${t("users.add")}</a>`
      : nothing;
    const invite =
      may("UserService/ImportUsers") && may("PasskeyService/InviteUsers")
        ? html`<a class="button" href=${to(["users", "invite"])}>${t("invite")}</a>`
        : nothing;
    const isNarrowed = this.#request.query || this.#request.filter;
    const administrators = html`<a class="button" href=${to(["users", "administrators"])}>${t("users.administrators")}</a>`;
    const exported = html`<button type="button" @click=${this.#export}>${t("export")}</button>`;
    return html`${head(t("users"), { actions: html`${administrators}${exported}${invite}${add}`, lead: html`${this.#moved} ${leadOf(this.#move?.value)}` })}
      <search class="filters"><div class="field">
        <label for="user-query">${t("search")}</label>
        <input id="user-query" name="q" type="search" autocomplete="off" spellcheck="false" maxlength="200" placeholder=${t("users.query")} .value=${this.#chosen("q")} @input=${this.#filter} />
      </div>
      ${this.#choice("state", "state", [
        ["", t("users.all")],
        ["active", t("users.active")],
        ["invited", t("users.invited")],
        ["locked", t("user.locked")],
      ])}
      ${this.#choice("role", "users.role", [["", t("users.all")], ["any", t("users.anyRole")], ...ALL_ROLES.map((each) => [`ROLE_${Role[each]}`, roleName(each)] as const)])}
      ${
        this.#groups?.value?.length
          ? this.#choice("group", "users.group", [
              ["", t("users.all")],
              ...this.#groups.value.map(({ groupId, displayName, name: id }) => [groupId, displayName || id] as const),
            ])
          : nothing
      }
      ${this.#choice("seen", "users.lastSignIn", [["", t("users.all")], ["never", t("users.never")], ...[7, 30].map((days) => [`in${days}`, t("users.within", { days })] as const), ...[30, 90, 365].map((days) => [String(days), t("users.notFor", { days })] as const)])}
      ${this.#choice("passkeys", "users.passkeys", [
        ["", t("users.all")],
        ["none", t("users.noPasskey")],
        ["one", t("users.onePasskey")],
        ["more", t("users.morePasskeys")],
      ])}
      ${this.#choice("order", "users.order", [
        ["", t("users.byName")],
        ["reverse", t("users.byNameReversed")],
        ["id", t("users.byId")],
        ["newest", t("users.newest")],
        ["seen", t("users.latestSignIn")],
        ["unseen", t("users.earliestSignIn")],
        ["invited", t("users.latestInvitation")],
      ])}
      </search>
      ${selectionBar(this.#selected, { items: (this.#list.items ?? []).filter(isOther), total: this.#total, changed: this.#changed, select: (user, isSelected) => this.#select(user, isSelected) })}
      ${this.#list.render(
        (items) =>
          table(
            t("users"),
            [
              {
                label: t("field.displayName"),
                order: this.#byName,
                cell: (each) =>
                  html`<span class="selectable"><input type="checkbox" aria-label=${t("users.select", { name: each.displayName || each.userName })} .checked=${this.#selected.has(each.userId)} ?disabled=${!isOther(each)} @change=${(event: Event) => this.#select(each, (event.target as HTMLInputElement).checked)} />${titled(
                    name(each.displayName || each.userName),
                    name(each.userName),
                    ["users", each.userId],
                  )}</span>`,
              },
              { label: t("field.email"), cell: (each) => name(each.email), isWide: true, isText: true },
              {
                label: t("state"),
                cell: (each) =>
                  html`${each.state === UserState.INVITED ? badge(t("users.invited")) : nothing} ${badgesOf(each)}`,
              },
              { label: t("users.lastSignIn"), cell: (each) => time(each.lastSignInAt), isWide: true },
            ],
            items,
          ),
        empty(t(isNarrowed ? "users.noneFound" : "users.none")),
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

/** A role of a user. */
interface Administrator {
  readonly user: User;
  readonly grant: RoleGrant;
}

/** Everybody with a role: one row for each role. */
class Administrators extends View {
  readonly #list = new Paged<Administrator>(this, async (pageToken) => {
    const page = await read((options) => users.listUsers({ filter: "roles:*", pageToken }, options));
    return {
      items: page.users.flatMap((user) => user.roleGrants.map((grant) => ({ user, grant }))),
      next: page.nextPageToken,
    };
  });

  protected override render(): TemplateResult {
    return html`${head(t("users.administrators"), { up: [t("users"), to(["users"])], lead: t("users.administratorsLead") })}
      ${this.#list.render(
        (items) =>
          table(
            t("users.administrators"),
            [
              {
                label: t("field.displayName"),
                cell: ({ user }) =>
                  titled(name(user.displayName || user.userName), name(user.userName), [
                    "users",
                    user.userId,
                    "access",
                  ]),
              },
              {
                label: t("role"),
                cell: ({ user, grant }) =>
                  html`${badge(roleName(grant.role))} ${user.lockedAt ? badge(t("user.locked"), "bad") : nothing}
                    ${grant.expiresAt ? html`<small class="narrow">${t("user.expires")} ${endOf(grant)}</small>` : nothing}`,
              },
              { label: t("user.hasRole"), cell: ({ grant }) => grantedBy(grant), isWide: true },
              { label: t("user.expires"), cell: ({ grant }) => endOf(grant), isWide: true },
            ],
            items,
          ),
        empty(t("users.noneFound")),
      )}`;
  }
}

const instant = (each: User["invitedAt"]) => (each ? timestampDate(each).toISOString() : "");
/** The columns of the exported file, by the names of the fields. */
const COLUMNS: readonly (readonly [label: string, cell: (user: User) => string])[] = [
  ["user_id", ({ userId }) => userId],
  ["user_name", ({ userName }) => userName],
  ["display_name", ({ displayName }) => displayName],
  ["email", ({ email }) => email],
  ["roles", ({ roles }) => roles.map((each) => Role[each]).join(" ")],
  ["state", ({ state }) => UserState[state]],
  ["last_sign_in_at", ({ lastSignInAt }) => instant(lastSignInAt)],
  ["invited_at", ({ invitedAt }) => instant(invitedAt)],
  ["creation_date", ({ details }) => instant(details?.creationDate)],
];

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
customElements.define("keystead-administrators", Administrators);
customElements.define("keystead-users-unmoved", Unmoved);
