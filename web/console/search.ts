/**
 * The search of the console: a dialog with a combobox over the places and the lists that the person may read.
 *
 * Each source answers by itself: a slow or failed one does not delay or hide the others. The chosen option is known by its
 * address, so that Enter opens it although other answers come meanwhile.
 */

import { ConnectError } from "@connectrpc/connect";
import { html, nothing, render, type TemplateResult } from "lit";
import { ApplicationService } from "../gen/console/keystead/application/v1/application_service_pb";
import { AttributeService } from "../gen/console/keystead/attribute/v1/attribute_service_pb";
import { GroupService } from "../gen/console/keystead/group/v1/group_service_pb";
import { IdentityProviderService } from "../gen/console/keystead/idp/v1/identity_provider_service_pb";
import { OrganizationService } from "../gen/console/keystead/org/v1/organization_service_pb";
import { PushService } from "../gen/console/keystead/push/v1/push_service_pb";
import { SessionService } from "../gen/console/keystead/session/v1/session_service_pb";
import { type User, UserService } from "../gen/console/keystead/user/v1/user_service_pb";
import { allPages } from "../shared/api";
import { homeId, may, type Method } from "./access";
import { client, read } from "./api";
import { name } from "./parts";
import { to } from "./router";
import { counted, type Key, t } from "./view_words";

const applications = client(ApplicationService);
const attributes = client(AttributeService);
const groups = client(GroupService);
const idps = client(IdentityProviderService);
const organizations = client(OrganizationService);
const pushes = client(PushService);
const sessions = client(SessionService);
const users = client(UserService);

/** The most results of a source. */
const MOST = 6;
/** Lists without a search of their own are read up to this number of pages, once for each dialog. */
const MOST_PAGES = 5;
const PAGE_SIZE = 200;
/** The lists are asked after a pause of this length in typing. */
const PAUSE_MILLISECONDS = 200;
/** A text that can be an ID of an object or of a request. */
const ID = /^[\w.:-]{8,128}$/;

/** Views within the places, which the navigation does not have. */
const PARTS: readonly (readonly [label: Key, place: Key, part: string, needs: Method])[] = [
  ["users.administrators", "users", "administrators", "UserService/ListUsers"],
  ["invite", "users", "invite", "UserService/ImportUsers"],
  ["refusedSignIns", "sessions", "refused", "SessionService/ListSignInRefusals"],
  ["push.deliveries", "push", "deliveries", "PushService/ListDeliveries"],
  ["mail.templates", "mail", "templates", "MailService/ListMails"],
  ["mail.outbox", "mail", "outbox", "MailService/ListMails"],
];

/** A place of the navigation. */
export interface PlaceLink {
  readonly label: string;
  readonly href: string;
}

interface Hit {
  readonly title: string;
  readonly second: string;
  readonly href: string;
}

interface Source {
  readonly label: Key;
  readonly needs: Method;
  readonly find: (query: string) => Promise<readonly Hit[]>;
}

interface Answer {
  readonly label: Key;
  readonly hits: readonly Hit[] | undefined;
  readonly hasFailed: boolean;
}

/** Opens the dialog. `places` are those that the person may open, `typed` a text that was typed before. */
export function openSearch(places: readonly PlaceLink[], typed: string): void {
  if (document.querySelector("dialog[open]")) return;
  new Search(places).open(typed);
}

class Search {
  readonly #dialog = document.createElement("dialog");
  readonly #sources = sources().filter(({ needs }) => may(needs));
  #query = "";
  /** The query of the answers; that of the field, once the lists were asked. */
  #asked = "";
  #answers: readonly Answer[] = [];
  #active = "";
  #due: ReturnType<typeof setTimeout> | undefined;

  constructor(private readonly places: readonly PlaceLink[]) {}

  open(typed: string): void {
    const dialog = this.#dialog;
    dialog.className = "search";
    dialog.setAttribute("aria-label", t("search.title"));
    dialog.addEventListener("close", () => {
      clearTimeout(this.#due);
      this.#query = ""; // later answers are not used
      dialog.remove();
    });
    dialog.addEventListener("click", ({ target }) => target === dialog && dialog.close()); // its backdrop
    this.#show();
    document.body.append(dialog);
    dialog.showModal();
    const field = dialog.querySelector("input")!;
    field.focus();
    if (typed === "") return;
    field.value = typed;
    field.dispatchEvent(new Event("input"));
  }

  get #groups(): readonly Answer[] {
    const query = plain(this.#query);
    const places = this.places.map(({ label, href }) => ({ title: label, second: "", href }));
    const parts = PARTS.filter(([, , , needs]) => query && may(needs));
    const hits = [
      ...places,
      ...parts.map(([label, place, part]) => ({ title: t(label), second: t(place), href: to([place, part]) })),
    ].filter(({ title }) => plain(title).includes(query));
    return [{ label: "search.places", hits, hasFailed: false }, ...this.#answers];
  }

  get #hits(): readonly Hit[] {
    return this.#groups.flatMap(({ hits }) => hits ?? []);
  }

  #show(): void {
    const hits = this.#hits;
    if (!hits.some(({ href }) => href === this.#active)) this.#active = hits[0]?.href ?? "";
    const active = hits.findIndex(({ href }) => href === this.#active);
    const isAsking = this.#query !== "" && (this.#asked !== this.#query || this.#answers.some(isPending));
    const failed = this.#answers.filter(({ hasFailed }) => hasFailed);
    let place = 0;
    const option = ({ title, second, href }: Hit): TemplateResult => {
      const index = place++;
      return html`<a role="option" id="search-${index}" tabindex="-1" href=${href} aria-selected=${index === active} @click=${this.#leave}>${name(title)}${second ? html` <small>${name(second)}</small>` : nothing}</a>`;
    };
    render(
      html`<div class="search-field">
          <input type="text" role="combobox" aria-label=${t("search.title")} aria-autocomplete="list" aria-expanded=${hits.length > 0} aria-controls="search-hits" aria-activedescendant=${active < 0 ? nothing : `search-${active}`} autocomplete="off" autocapitalize="none" spellcheck="false" enterkeyhint="go" maxlength="200" placeholder=${t("search.hint")} @input=${this.#type} @keydown=${this.#press} />
          <button type="button" @click=${() => this.#dialog.close()}>${t("close")}</button>
        </div>
        <div role="listbox" id="search-hits" aria-label=${t("search.results")} aria-busy=${isAsking}>
          ${this.#groups.map(({ label, hits: found }) =>
            found && found.length > 0
              ? html`<div role="group" aria-label=${t(label)}><p role="presentation" aria-hidden="true">${t(label)}</p>${found.map(option)}</div>`
              : nothing,
          )}
        </div>
        ${failed.map(({ label }) => html`<p class="hint" role="alert">${t("search.failed", { list: t(label) })}</p>`)}
        <p class=${hits.length > 0 || this.#query === "" ? "hidden" : "hint"} role="status">${isAsking ? t("loading") : this.#query === "" ? "" : hits.length > 0 ? counted("search.count", hits.length) : t("search.none")}</p>
        <p class="hint keys" aria-hidden="true">${t("search.keys")}</p>`,
      this.#dialog,
    );
    this.#dialog.querySelector('[aria-selected="true"]')?.scrollIntoView({ block: "nearest" });
  }

  readonly #leave = (event: MouseEvent) => {
    if (!event.ctrlKey && !event.metaKey && !event.shiftKey) this.#dialog.close();
  };

  readonly #type = (event: Event) => {
    this.#query = (event.target as HTMLInputElement).value.trim();
    this.#active = "";
    clearTimeout(this.#due);
    if (this.#query === "") this.#answers = [];
    else this.#due = setTimeout(() => this.#ask(), PAUSE_MILLISECONDS);
    this.#show();
  };

  readonly #press = (event: KeyboardEvent) => {
    if (event.isComposing) return;
    const hits = this.#hits;
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step && hits.length > 0) {
      event.preventDefault();
      const active = hits.findIndex(({ href }) => href === this.#active);
      this.#active = hits[(active + step + hits.length) % hits.length]!.href;
      this.#show();
    } else if (event.key === "Enter") {
      event.preventDefault();
      this.#dialog.querySelector<HTMLElement>('[aria-selected="true"]')?.click();
    }
  };

  #ask(): void {
    const query = this.#query;
    this.#asked = query;
    const answers: Answer[] = this.#sources.map(({ label }) => ({ label, hits: undefined, hasFailed: false }));
    const take = (place: number, answer: Partial<Answer>) => {
      if (query !== this.#query || this.#asked !== query) return;
      answers[place] = { ...answers[place]!, ...answer };
      this.#answers = [...answers];
      this.#show();
    };
    for (const [place, { find }] of this.#sources.entries()) {
      find(query).then(
        (hits) => take(place, { hits: distinct(hits).slice(0, MOST) }),
        () => take(place, { hits: [], hasFailed: true }),
      );
    }
  }
}

/** Without further hits of the same address, such as refusals with one request ID. */
function distinct(hits: readonly Hit[]): readonly Hit[] {
  return [...new Map(hits.map((each) => [each.href, each])).values()];
}

function isPending({ hits }: Answer): boolean {
  return hits === undefined;
}

/** A text as it is compared: without case and marks. */
function plain(text: string): string {
  return text.normalize("NFKD").replace(/\p{M}/gu, "").toLowerCase();
}

function sources(): readonly Source[] {
  return [
    { label: "users", needs: "UserService/ListUsers", find: findUsers },
    {
      label: "groups",
      needs: "GroupService/ListGroups",
      find: async (query) => {
        const page = await read((options) => groups.listGroups({ query, pageSize: MOST }, options));
        return page.groups.map((each) => hit(each.displayName, each.name, ["groups", each.groupId]));
      },
    },
    {
      label: "applications",
      needs: "ApplicationService/ListApplications",
      find: async (query) => {
        const page = await read((options) => applications.listApplications({ query, pageSize: MOST }, options));
        return page.applications.map((each) => hit(each.name, "", ["applications", each.applicationId]));
      },
    },
    {
      label: "idps",
      needs: "IdentityProviderService/ListIDPs",
      find: within(
        (page) => read((options) => idps.listIDPs(page, options)),
        (page) => page.idps.map((each) => [each.idpId, hit(each.name, "", ["idps", each.idpId])]),
      ),
    },
    {
      label: "organizations",
      needs: "OrganizationService/ListOrganizations",
      find: within(
        (page) => read((options) => organizations.listOrganizations(page, options)),
        (page) => page.organizations.map((each) => [each.orgId, hit(each.name, "", ["organizations", each.orgId])]),
      ),
    },
    {
      label: "push",
      needs: "PushService/ListSubscriptions",
      find: within(
        (page) => read((options) => pushes.listSubscriptions(page, options)),
        (page) =>
          page.subscriptions.map((each) => [
            each.subscriptionId,
            hit(each.name, each.url, ["push", each.subscriptionId]),
          ]),
      ),
    },
    {
      label: "attributes",
      needs: "AttributeService/ListAttributeDefinitions",
      find: within(
        (page) => read((options) => attributes.listAttributeDefinitions(page, options)),
        (page) =>
          page.definitions.map((each) => [
            each.attributeId,
            hit(each.displayName, each.name, ["attributes", each.attributeId]),
          ]),
      ),
    },
    {
      label: "search.refusedRequests",
      needs: "ApplicationService/ListRefusals",
      find: async (requestId) => {
        if (!ID.test(requestId)) return [];
        const { refusals } = await read((options) => applications.listRefusals({ requestId }, options));
        return refusals.map((each) => hit(each.applicationName, each.reason, ["applications"], { request: requestId }));
      },
    },
    {
      label: "refusedSignIns",
      needs: "SessionService/ListSignInRefusals",
      find: async (requestId) => {
        if (!ID.test(requestId)) return [];
        const { refusals } = await read((options) => sessions.listSignInRefusals({ pageSize: PAGE_SIZE }, options));
        return refusals
          .filter((each) => each.requestId === requestId)
          .map((each) => hit(each.userName, each.reason, ["users", each.userId, "sessions"]));
      },
    },
  ];
}

/** Users of the selected organization by text; by their IDs those of all that the person may see. */
async function findUsers(query: string): Promise<readonly Hit[]> {
  const [page, one] = await Promise.all([
    read((options) => users.listUsers({ query, pageSize: MOST }, options)),
    ID.test(query) ? userOf(query) : undefined,
  ]);
  const others = page.users.filter(({ userId }) => userId !== one?.userId);
  return [...(one ? [one] : []), ...others].map((each) => {
    const owner = each.details?.resourceOwner ?? "";
    return hit(each.displayName || each.userName, each.userName, ["users", each.userId], {
      org: owner === homeId() ? "" : owner,
    });
  });
}

/** The user with an ID; undefined if there is none that the person may see. */
async function userOf(userId: string): Promise<User | undefined> {
  try {
    return (await read((options) => users.getUser({ userId }, options))).user;
  } catch (error) {
    if (error instanceof ConnectError) return undefined; // the search by text tells failures
    throw error;
  }
}

type Named = readonly [id: string, hit: Hit];

/** Searches a list that the server does not search: its first pages, by names and IDs. */
function within<Page extends { readonly nextPageToken: string }>(
  list: (page: { pageSize: number; pageToken: string }) => Promise<Page>,
  named: (page: Page) => readonly Named[],
): Source["find"] {
  let loaded: Promise<readonly Named[]> | undefined;
  const load = async () => (await allPages(list, MOST_PAGES)).flatMap(named);
  return async (query) => {
    loaded ??= load();
    try {
      const text = plain(query);
      const matches = ([id, { title, second }]: Named) => id === query || plain(`${title}\n${second}`).includes(text);
      return (await loaded).filter(matches).map(([, each]) => each);
    } catch (error) {
      loaded = undefined;
      throw error;
    }
  };
}

function hit(
  title: string,
  second: string,
  path: readonly string[],
  query: Readonly<Record<string, string>> = {},
): Hit {
  return { title, second: second === title ? "" : second, href: to(path, query) };
}
