/** Applications: list, add, and one application with its secrets and the way to connect it. */

import { create, type JsonObject } from "@bufbuild/protobuf";
import { html, nothing, type TemplateResult } from "lit";
import { keyed } from "lit/directives/keyed.js";
import {
  type Application,
  type ApplicationClaim,
  ApplicationClaimSchema,
  type ApplicationClaims,
  ApplicationKind,
  ApplicationSchema,
  type ApplicationSecret,
  ApplicationService,
  ClaimTarget,
  CreateApplicationRequestSchema,
  type ResourceScope,
  ResourceScopeSchema,
  type WorkloadIssuer,
  WorkloadIssuerSchema,
} from "../../gen/console/keystead/application/v1/application_service_pb";
import { type Group, GroupService } from "../../gen/console/keystead/group/v1/group_service_pb";
import { type User, UserService } from "../../gen/console/keystead/user/v1/user_service_pb";
import type { Recipe } from "../../gen/console/recipes";
import { allPages } from "../../shared/api";
import { may } from "../access";
import { change, client, preview, read } from "../api";
import { connection } from "../connect";
import { askFirst, showOnce } from "../dialogs";
import { type Entry, form, type FormOptions, textOfValue, type Values } from "../form";
import { Gallery, markOf } from "../gallery";
import { notDone } from "../notice";
import {
  coded,
  type Column,
  copyable,
  empty,
  facts,
  head,
  name,
  section,
  snippet,
  table,
  tabs,
  time,
  titled,
} from "../parts";
import { badgesOf } from "../roles";
import { applicationAt, loadRecipes, noteOf, settingsAt } from "../recipes";
import { latest, refusalTable } from "../refusals";
import { filterBy, go, renamed, type Route, to } from "../router";
import { maskOf, messageOf, only, valuesOf } from "../values";
import { Loaded, Paged, totalOf, View } from "../view";
import { counted, t } from "../view_words";

const applications = client(ApplicationService);
const groups = client(GroupService);
const users = client(UserService);

/** In place of an ID. No ID has this character. */
const NEW = "+";
/** In place of the name of a program. */
const OTHER = "other";

export function views({ path }: Route): string {
  return path[1] === undefined
    ? "keystead-applications"
    : path[1] === NEW
      ? "keystead-application-new"
      : "keystead-application";
}

const is =
  (...kinds: (keyof typeof ApplicationKind)[]) =>
  ({ kind }: Values) =>
    kinds.some((each) => kind === `APPLICATION_KIND_${each}`);
const hasPeople = is("WEB", "BROWSER", "NATIVE", "GATE");
const admits = is("WEB", "BROWSER", "NATIVE", "GATE", "RESOURCE");
const redirects = is("WEB", "BROWSER", "NATIVE");
const takesSecrets = is("WEB", "SERVICE", "RESOURCE");
const isClient = is("WEB", "BROWSER", "NATIVE", "SERVICE", "RESOURCE");

/** The fields of an application by its kind, in the order in which people need them. */
function fieldsOf(found: readonly Group[]): FormOptions["fields"] {
  const groupChoices: Entry["choices"] = found.map(({ groupId, displayName }) => [groupId, displayName]);
  const isKey = (values: Values) => values["tokenEndpointAuthMethod"] === "TOKEN_ENDPOINT_AUTH_METHOD_PRIVATE_KEY_JWT";
  return [
    "name",
    "logo",
    { name: "redirectUris", when: redirects },
    { name: "postLogoutRedirectUris", when: redirects },
    { name: "allowsHttp", when: is("WEB") },
    { name: "origins", when: is("GATE"), isRequired: true },
    { name: "identifier", when: is("RESOURCE"), isRequired: true },
    { name: "scopes", when: is("WEB", "BROWSER", "NATIVE", "SERVICE", "GATE") },
    {
      name: "requiresEmail",
      when: (values) =>
        hasPeople(values) && (values["scopes"] as readonly string[] | undefined)?.includes("email") === true,
    },
    { name: "firstParty", when: hasPeople },
    { heading: "applications.people", when: admits },
    { name: "audience", when: admits },
    { name: "admitsGroupsOnly", when: admits },
    {
      name: "allowedGroups",
      when: (values) => admits(values) && values["admitsGroupsOnly"] === true,
      choices: groupChoices,
    },
    { heading: "applications.tokens" },
    { name: "tokenEndpointAuthMethod", when: is("WEB", "SERVICE", "RESOURCE") },
    { name: "jwksUri", when: isKey },
    { name: "jwks", when: isKey },
    { name: "pkce", when: is("WEB") },
    { name: "requiresPushedAuthorizationRequests", when: redirects },
    { name: "idTokenAlg", when: redirects },
    { name: "omitsIdTokenClaims", when: redirects },
    "accessTokenTyp",
    "accessTokenLifetimeSeconds",
    { name: "refreshTokenLifetimeSeconds", when: redirects },
    { name: "refreshTokenIdleSeconds", when: redirects },
    { name: "backchannelLogoutUri", when: redirects },
    { name: "gateJwtHeader", when: is("GATE") },
    { name: "gateIdentityHeaders", when: is("GATE") },
  ];
}

class Applications extends View {
  readonly #list = new Paged<Application>(this, async (pageToken) => {
    const request = { query: this.#query, pageToken, withTotalSize: pageToken === "" };
    const page = await read((options) => applications.listApplications(request, options));
    if (pageToken === "") this.#total = totalOf(page);
    return { items: page.applications, next: page.nextPageToken };
  });
  #total = "";
  readonly #found = new Loaded(this, () =>
    this.#requestId ? latest({ requestId: this.#requestId }) : Promise.resolve([]),
  );
  #soon = 0;

  get #requestId(): string {
    return this.route.query.get("request") ?? "";
  }

  get #query(): string {
    return this.route.query.get("q") ?? "";
  }

  readonly #searchByName = (event: Event) => {
    filterBy(event, this.route);
    this.#list.reloadSoon();
  };

  readonly #search = (event: Event) => {
    filterBy(event, this.route);
    clearTimeout(this.#soon);
    this.#soon = window.setTimeout(() => void this.#found.reload(), 300);
  };

  protected override render(): TemplateResult {
    const add = may("ApplicationService/CreateApplication")
      ? html`<a class="primary" href=${to(["applications", NEW])}>${t("applications.add")}</a>`
      : nothing;
    return html`${head(t("applications"), { lead: t("applications.lead"), actions: add })}
      <search class="filters"><div class="field"><label for="applications-query">${t("search")}</label><input id="applications-query" name="q" type="search" autocomplete="off" spellcheck="false" maxlength="200" .value=${this.#query} @input=${this.#searchByName} /></div><div class="field">
        <label for="refused-request">${t("refusals.search")}</label>
        <input id="refused-request" name="request" type="search" autocomplete="off" spellcheck="false" maxlength="128" placeholder=${t("requestId")} .value=${this.#requestId} @input=${this.#search} />
      </div></search>
      ${
        this.#requestId
          ? section(
              t("refusals"),
              this.#found.render((found) =>
                refusalTable(found, { isOfOne: false, mended: () => this.#found.reload() }),
              ),
            )
          : nothing
      }
      ${this.#total ? html`<p class="total" role="status">${t("applications.total", { total: this.#total })}</p>` : nothing}
      ${this.#list.render(
        (items) =>
          table(
            t("applications"),
            [
              {
                label: t("field.name"),
                cell: (each) =>
                  titled(name(each.name), each.redirectUris[0] ?? each.origins[0] ?? each.identifier, [
                    "applications",
                    each.applicationId,
                  ]),
              },
              { label: t("field.kind"), cell: (each) => kindOf(each) },
              { label: t("changed"), cell: (each) => time(each.details?.changeDate), isWide: true },
            ],
            items,
          ),
        empty(t(this.#query ? "applications.noneFound" : "applications.none")),
      )}`;
  }
}

function kindOf({ kind }: Application): string {
  return textOfValue(`APPLICATION_KIND_${ApplicationKind[kind]}`);
}

class NewApplication extends View {
  readonly #recipes = new Loaded(this, loadRecipes);
  readonly #marks = new Loaded(this, () => import("../marks"));
  readonly #gallery = new Gallery(this);

  readonly #choose = (event: Event) => {
    filterBy(event, this.route);
    this.requestUpdate();
  };

  protected override render(): TemplateResult {
    return this.#recipes.render((recipes) => this.#chosen(recipes));
  }

  #chosen(recipes: readonly Recipe[]): TemplateResult {
    const { query } = this.route;
    const chosen = query.get("for") ?? "";
    const host = hostOf(query);
    const recipe = recipes.find((each) => each.name === chosen);
    const path = ["applications", NEW];
    if (!chosen)
      return html`${head(t("applications.add"), { up: [t("applications"), to(["applications"])], lead: t("applications.addLead") })}
        ${this.#gallery.render(t("applications.software"), [
          {
            title: t("applications.otherSoftware"),
            letter: "+",
            second: t("applications.otherSoftwareLead"),
            href: to(path, { for: OTHER }),
          },
          ...recipes.map(({ name: of, program }) => ({
            title: program,
            mark: this.#marks.value?.markOfProgram(of),
            href: to(path, { for: of }),
          })),
        ])}`;
    const another = html`<a class="button" href=${to(path)}>${t("gallery.another")}</a>`;
    const title = recipe
      ? html`${markOf(recipe.program, this.#marks.value?.markOfProgram(recipe.name))}${recipe.program}`
      : t("applications.otherSoftware");
    return html`${head(title, { up: [t("applications.add"), to(path)], lead: t("applications.addLead"), actions: another })}
      ${
        recipe
          ? html`<div class="filters"><div class="field"><label for="host">${t("applications.host")}</label><input id="host" name="host" autocomplete="off" autocapitalize="off" spellcheck="false" placeholder=${`${recipe.name}.example.com`} .value=${host} @input=${this.#choose} /></div></div>`
          : nothing
      }
      ${recipe && !host ? empty(t("applications.hostLead")) : keyed(host, this.#form(recipe, host))}`;
  }

  #form(recipe: Recipe | undefined, host: string): TemplateResult {
    return section(
      t("details"),
      form({
        request: "CreateApplicationRequest",
        within: "application",
        fields: [
          "name",
          "kind",
          { name: "redirectUris", when: redirects },
          { name: "origins", when: is("GATE"), isRequired: true },
          { name: "identifier", when: is("RESOURCE"), isRequired: true },
          { name: "firstParty", when: hasPeople },
          { heading: "applications.chosen", when: isClient },
          { name: "applicationId", when: isClient },
          { name: "secret", when: takesSecrets },
        ],
        values: recipe ? applicationAt(recipe, host) : {},
        submit: t("add"),
        cancel: () => go(["applications"]),
        save: async ({ applicationId: id = "", secret = "", ...application }) => {
          const request = messageOf(CreateApplicationRequestSchema, { application, applicationId: id, secret });
          const { applicationId } = await change((options) => applications.createApplication(request, options));
          go(["applications", applicationId, "connect"], recipe ? { for: recipe.name, host } : {});
        },
      }),
    );
  }
}

/** The host of a program, or its origin, of an address as people copy it from their browser. */
function hostOf(query: URLSearchParams): string {
  return /^(?:[a-z]+:\/\/)?[^/?#]*/i.exec(query.get("host") ?? "")![0];
}

/** JSON to read, with its members in their order. */
function json(object: JsonObject | undefined): string {
  return JSON.stringify(object ?? {}, undefined, 2);
}

/** A list of an application, whose rows are added and removed. `part` is its place in the address, and begins its texts. */
interface Rows<Row> {
  readonly part: "workloads" | "claims";
  readonly field: "workloadIssuers" | "claims";
  readonly fields: FormOptions["fields"];
  readonly rowOf: (values: Values) => Row;
  readonly titleOf: (row: Row) => string;
  readonly columns: () => readonly Column<Row>[];
}

const WORKLOADS: Rows<WorkloadIssuer> = {
  part: "workloads",
  field: "workloadIssuers",
  fields: ["issuer", "audience", "subject", "claims"].map((each) => ({ name: each, texts: `workloads.${each}` })),
  rowOf: (values) => messageOf(WorkloadIssuerSchema, values),
  titleOf: ({ subject }) => subject,
  columns: () => [
    { label: t("field.workloads.subject"), cell: (each) => titled(html`<code>${each.subject}</code>`, each.issuer) },
    {
      label: t("field.workloads.claims"),
      cell: (each) =>
        Object.entries(each.claims)
          .sort()
          .map(([claim, value]) => `${claim}=${value}`)
          .join(", "),
      isWide: true,
    },
    { label: t("field.workloads.audience"), cell: (each) => html`<code>${each.audience}</code>`, isWide: true },
  ],
};

const CLAIMS: Rows<ApplicationClaim> = {
  part: "claims",
  field: "claims",
  fields: ["name", "attribute", "text", "target"].map((each) => ({ name: each, texts: `claims.${each}` })),
  rowOf: (values) => messageOf(ApplicationClaimSchema, values),
  titleOf: ({ name: claim }) => claim,
  columns: () => [
    { label: t("field.claims.name"), cell: (each) => titled(html`<code>${each.name}</code>`, "") },
    { label: t("claims.value"), cell: (each) => (each.attribute ? html`<code>${each.attribute}</code>` : each.text) },
    {
      label: t("field.claims.target"),
      cell: ({ target }) => textOfValue(`CLAIM_TARGET_${ClaimTarget[target]}`),
      isWide: true,
    },
  ],
};

class OneApplication extends View {
  readonly #recipes = new Loaded(this, loadRecipes);
  readonly #application = new Loaded(this, () => this.#read());
  readonly #refusals = new Loaded(this, () => latest({ applicationId: this.#id }));
  #people: Paged<User> | undefined;
  #claims: Loaded<ApplicationClaims> | undefined;
  /** The number of people. */
  #size = "";
  readonly #groups = new Loaded(this, async () => {
    if (!may("GroupService/ListGroups")) return [];
    const pages = await allPages((page) => read((options) => groups.listGroups(page, options)));
    return pages.flatMap((page) => page.groups);
  });

  get #id(): string {
    return this.route.path[1] ?? "";
  }

  async #read(): Promise<Application> {
    const { application } = await read((options) => applications.getApplication({ applicationId: this.#id }, options));
    return application!;
  }

  protected override render(): TemplateResult {
    return this.#application.render((application) => {
      const tab = this.route.path[2];
      if (tab === "scopes") return this.route.path[3] ? this.#oneScope(application) : this.#newScope(application);
      if (tab === WORKLOADS.part) return this.#newRow(WORKLOADS, application);
      if (tab === CLAIMS.part) return this.#newRow(CLAIMS, application);
      if (tab === "people" && this.route.path[3]) return this.#claimsOfUser(application);
      const remove = html`<button type="button" class="quiet danger" @click=${() => this.#askToRemove(application)}>${t("applications.remove")}</button>`;
      const path = ["applications", application.applicationId];
      const mayHavePeople = admits(valuesOf(ApplicationSchema, application)) && may("UserService/ListUsers");
      return html`${head(name(application.name), { up: [t("applications"), to(["applications"])], lead: kindOf(application), actions: may("ApplicationService/RemoveApplication") ? remove : nothing })}
        ${tabs(application.name, [
          [t("settings"), path, tab === undefined],
          ...(mayHavePeople ? [[t("applications.people"), [...path, "people"], tab === "people"] as const] : []),
          [t("connect"), [...path, "connect"], tab === "connect"],
          [t("refusals"), [...path, "refusals"], tab === "refusals"],
        ])}
        ${
          tab === "connect"
            ? html`${this.#secrets(application)}${this.#software(application)}${connection(application)}`
            : tab === "refusals"
              ? this.#refused()
              : tab === "people"
                ? this.#admitted(application)
                : this.#settings(application)
        }`;
    });
  }

  /** The users whom the application admits. */
  #admitted({ applicationId, admitsGroupsOnly, kind }: Application): TemplateResult {
    const getsClaims = redirects({ kind: `APPLICATION_KIND_${ApplicationKind[kind]}` });
    this.#people ??= new Paged<User>(this, async (pageToken) => {
      const request = { filter: `applications:"${this.#id}"`, pageToken, withTotalSize: pageToken === "" };
      const page = await read((options) => users.listUsers(request, options));
      if (pageToken === "") this.#size = `${page.totalSize.toLocaleString()}${page.totalSizeIsMinimum ? "+" : ""}`;
      return { items: page.users, next: page.nextPageToken };
    });
    return section(
      this.#size ? `${t("applications.people")} (${this.#size})` : t("applications.people"),
      this.#people.render(
        (items) =>
          table(
            t("applications.people"),
            [
              {
                label: t("field.displayName"),
                cell: (each) =>
                  titled(name(each.displayName || each.userName), name(each.userName), ["users", each.userId]),
              },
              { label: t("field.email"), cell: (each) => name(each.email), isWide: true, isText: true },
              { label: t("state"), cell: badgesOf, isWide: true },
              {
                label: t("user.enteredLast"),
                cell: (each) => (each.enteredApplicationAt ? time(each.enteredApplicationAt) : "–"),
                isWide: true,
              },
              {
                label: t("actions"),
                isLabelHidden: true,
                cell: ({ userId, displayName, userName }) =>
                  getsClaims
                    ? html`<a class="button" aria-label=${t("applications.claimsOf", { name: displayName || userName })} href=${to(["applications", applicationId, "people", userId])}>${t("applications.claims")}</a>`
                    : nothing,
              },
            ],
            items,
          ),
        empty(t("applications.nobody")),
      ),
      { lead: t(admitsGroupsOnly ? "applications.groupsEnter" : "applications.allEnter") },
    );
  }

  /** The claims that the application would get of a user, without a sign-in. */
  #claimsOfUser({ applicationId, name: named }: Application): TemplateResult {
    const userId = this.route.path[3] ?? "";
    this.#claims ??= new Loaded(this, async () => {
      const { claims } = await read((options) => applications.getApplicationClaims({ applicationId, userId }, options));
      return claims!;
    });
    return this.#claims.render(
      ({ isAdmitted, idToken, userinfo }) =>
        html`${head(t("applications.claimsOf", { name: String(userinfo?.["name"] ?? idToken?.["name"] ?? userId) }), { up: [named, to(["applications", applicationId, "people"])], lead: t("applications.claimsLead") })}
        ${isAdmitted ? nothing : html`<p class="warning">${t("applications.notAdmitted")}</p>`}
        ${
          idToken && Object.keys(idToken).length > 0
            ? section(
                t("applications.claims"),
                html`${snippet(t("applications.idToken"), json(idToken))}${snippet(t("applications.userinfo"), json(userinfo))}`,
                { lead: t("applications.noSignInClaims") },
              )
            : empty(t("applications.noOpenid"))
        }`,
    );
  }

  #refused(): TemplateResult {
    const mended = async () => {
      await Promise.all([this.#application.reload(), this.#refusals.reload()]);
    };
    return section(
      t("refusals"),
      this.#refusals.render((found) => refusalTable(found, { isOfOne: true, mended })),
      { lead: t("refusals.lead") },
    );
  }

  /** The settings of the program for which the application was just added. */
  #software({ applicationId }: Application): TemplateResult | typeof nothing {
    const { query } = this.route;
    const recipe = this.#recipes.value?.find((each) => each.name === query.get("for"));
    if (!recipe) return nothing;
    const note = noteOf(recipe);
    return section(
      t("applications.softwareSettings", { name: recipe.program }),
      html`${settingsAt(recipe, hostOf(query), applicationId).map(([where, text]) => snippet(where, text))}
      ${note.text ? html`<p class="hint" lang=${note.lang}>${coded(note.text)}</p>` : nothing}`,
      { lead: t("applications.softwareLead") },
    );
  }

  #settings(application: Application): TemplateResult {
    const state = (found: Application) => ({
      values: valuesOf(ApplicationSchema, found),
      sequence: found.details!.sequence,
    });
    const { applicationId } = application;
    return html`${section(
      t("details"),
      facts(
        [t("clientId"), copyable(applicationId, t("clientId"))],
        [t("created"), time(application.details?.creationDate)],
        [t("changed"), time(application.details?.changeDate)],
      ),
    )}
      ${
        may("ApplicationService/PatchApplication")
          ? section(
              t("settings"),
              this.#groups.render((found) =>
                form({
                  request: "PatchApplicationRequest",
                  within: "application",
                  fields: fieldsOf(found),
                  ...state(application),
                  submit: t("save"),
                  current: async () => state(await this.#read()),
                  save: (values, changed, sequence) =>
                    change(
                      (options) =>
                        applications.patchApplication(
                          {
                            application: { ...messageOf(ApplicationSchema, only(values, changed)), applicationId },
                            updateMask: maskOf(changed),
                          },
                          options,
                        ),
                      sequence,
                    ),
                }),
              ),
            )
          : nothing
      }
      ${application.kind === ApplicationKind.RESOURCE ? this.#scopes(application) : nothing}
      ${application.kind === ApplicationKind.SERVICE ? this.#rows(WORKLOADS, application) : nothing}
      ${hasPeople(valuesOf(ApplicationSchema, application)) ? this.#rows(CLAIMS, application) : nothing}`;
  }

  #scopes({ applicationId, resourceScopes }: Application): TemplateResult {
    const mayWrite = may("ApplicationService/PatchApplication");
    const path = ["applications", applicationId, "scopes"];
    const add = html`<a class="button" href=${to(path)}>${t("resourceScopes.add")}</a>`;
    const names = new Map(this.#groups.value?.map(({ groupId, displayName }) => [groupId, displayName]));
    return section(
      t("resourceScopes"),
      resourceScopes.length === 0
        ? empty(t("resourceScopes.none"))
        : table(
            t("resourceScopes"),
            [
              {
                label: t("field.resourceScopes.name"),
                cell: (each) =>
                  titled(
                    html`<code>${each.name}</code>`,
                    each.description,
                    mayWrite ? [...path, each.name] : undefined,
                  ),
              },
              {
                label: t("field.resourceScopes.allowedGroups"),
                cell: (each) => each.allowedGroups.map((group) => names.get(group) ?? group).join(", "),
                isWide: true,
              },
              {
                label: t("actions"),
                isLabelHidden: true,
                cell: (each) =>
                  mayWrite
                    ? html`<button type="button" class="quiet danger" aria-label=${t("removeOne", { name: each.name })} @click=${() => this.#askToRemoveScope(each)}>${t("remove")}</button>`
                    : nothing,
              },
            ],
            resourceScopes,
          ),
      { lead: t("resourceScopes.lead"), actions: mayWrite ? add : nothing },
    );
  }

  #newScope({ applicationId, name: named }: Application): TemplateResult {
    const path = ["applications", applicationId];
    return html`${head(t("resourceScopes.add"), { up: [named, to(path)], lead: t("resourceScopes.lead") })}
      ${this.#scopeForm({
        values: {},
        submit: t("add"),
        cancel: () => go(path),
        save: async (values) => {
          const application = this.#application.value!;
          const scope = messageOf(ResourceScopeSchema, values);
          await this.#setList(application, { resourceScopes: [...application.resourceScopes, scope] });
          go(path);
        },
      })}`;
  }

  /** The scope that the address names. */
  #oneScope(application: Application): TemplateResult {
    const path = ["applications", application.applicationId];
    const named = ({ resourceScopes }: Application) => resourceScopes.find(({ name }) => name === this.route.path[3]);
    const state = (found: Application) => ({
      values: valuesOf(ResourceScopeSchema, named(found) ?? create(ResourceScopeSchema)),
      sequence: found.details!.sequence,
    });
    const up = [application.name, to(path)] as const;
    if (!named(application)) return head(t("failure.NOT_FOUND"), { up, lead: t("missing.text") });
    return html`${head(name(this.route.path[3]!), { up, lead: t("resourceScopes.oneLead") })}
      ${this.#scopeForm({
        ...state(application),
        submit: t("save"),
        current: async () => {
          await this.#application.reload();
          return state(this.#application.value!);
        },
        save: async (values) => {
          const found = this.#application.value!;
          const scope = messageOf(ResourceScopeSchema, values);
          const resourceScopes = found.resourceScopes.map((each) => (each === named(found) ? scope : each));
          await this.#setList(found, { resourceScopes });
          this.route = renamed(this.route, scope.name);
        },
      })}`;
  }

  #scopeForm(options: Omit<FormOptions, "request" | "within" | "fields">): TemplateResult {
    return section(
      t("details"),
      this.#groups.render((found) =>
        form({
          request: "PatchApplicationRequest",
          within: "application.resourceScopes",
          fields: [
            { name: "name", texts: "resourceScopes.name" },
            { name: "description", texts: "resourceScopes.description" },
            {
              name: "allowedGroups",
              texts: "resourceScopes.allowedGroups",
              choices: found.map(({ groupId, displayName }) => [groupId, displayName]),
            },
          ],
          ...options,
        }),
      ),
    );
  }

  #askToRemoveScope(scope: ResourceScope): void {
    const application = this.#application.value!;
    askFirst({
      title: t("resourceScopes.removeTitle", { name: scope.name }),
      action: t("remove"),
      consequences: async () => [t("resourceScopes.remove")],
      act: async () => {
        await this.#setList(application, {
          resourceScopes: application.resourceScopes.filter((each) => each !== scope),
        });
        await this.#application.reload();
      },
      done: t("removed", { name: scope.name }),
    });
  }

  /** A list of the application, whose rows are added and removed. */
  #rows<Row>({ part, field, columns, titleOf }: Rows<Row>, application: Application): TemplateResult {
    const mayWrite = may("ApplicationService/PatchApplication");
    const add = html`<a class="button" href=${to(["applications", application.applicationId, part])}>${t(`${part}.add`)}</a>`;
    const rows = application[field] as unknown as readonly Row[];
    return section(
      t(part),
      rows.length === 0
        ? empty(t(`${part}.none`))
        : table(
            t(part),
            [
              ...columns(),
              {
                label: t("actions"),
                isLabelHidden: true,
                cell: (each) =>
                  mayWrite
                    ? html`<button type="button" class="quiet danger" aria-label=${t("removeOne", { name: titleOf(each) })} @click=${() => this.#askToRemoveRow({ part, field, titleOf }, each)}>${t("remove")}</button>`
                    : nothing,
              },
            ],
            rows,
          ),
      { lead: t(`${part}.lead`), actions: mayWrite ? add : nothing },
    );
  }

  #newRow<Row>({ part, field, fields, rowOf }: Rows<Row>, application: Application): TemplateResult {
    const path = ["applications", application.applicationId];
    return html`${head(t(`${part}.add`), { up: [application.name, to(path)], lead: t(`${part}.lead`) })}
      ${section(
        t("details"),
        form({
          request: "PatchApplicationRequest",
          within: `application.${field}`,
          fields,
          values: {},
          submit: t("add"),
          cancel: () => go(path),
          save: async (values) => {
            const rows = application[field] as unknown as readonly Row[];
            await this.#setList(application, { [field]: [...rows, rowOf(values)] });
            go(path);
          },
        }),
      )}`;
  }

  /** Replaces a whole list, unless somebody has changed the application since it was read. */
  async #setList(
    { applicationId, details }: Application,
    list: Partial<Pick<Application, "workloadIssuers" | "resourceScopes" | "claims">>,
  ): Promise<void> {
    await change(
      (options) =>
        applications.patchApplication(
          { application: { applicationId, ...list }, updateMask: maskOf(Object.keys(list)) },
          options,
        ),
      details!.sequence,
    );
  }

  #askToRemoveRow<Row>({ part, field, titleOf }: Pick<Rows<Row>, "part" | "field" | "titleOf">, row: Row): void {
    const application = this.#application.value!;
    const rows = application[field] as unknown as readonly Row[];
    askFirst({
      title: t(`${part}.removeTitle`, { name: titleOf(row) }),
      action: t("remove"),
      consequences: async () => [t(`${part}.remove`)],
      act: async () => {
        await this.#setList(application, { [field]: rows.filter((each) => each !== row) });
        await this.#application.reload();
      },
      done: t("removed", { name: titleOf(row) }),
    });
  }

  #secrets(application: Application): TemplateResult | typeof nothing {
    const takesSecrets = [ApplicationKind.WEB, ApplicationKind.SERVICE, ApplicationKind.RESOURCE].includes(
      application.kind,
    );
    if (!takesSecrets) return nothing;
    const mayWrite = may("ApplicationService/CreateApplicationSecret");
    const create = html`<button type="button" @click=${() => void this.#createSecret(application)}>${t("applications.createSecret")}</button>`;
    return section(
      t("applications.secrets"),
      application.secrets.length === 0
        ? empty(t("applications.noSecrets"))
        : table(
            t("applications.secrets"),
            [
              { label: "ID", cell: (each) => titled(html`<code>${each.secretId}</code>`, "") },
              { label: t("created"), cell: (each) => time(each.createdAt), isWide: true },
              {
                label: t("user.lastUsed"),
                cell: (each) => (each.lastUsedAt ? time(each.lastUsedAt) : t("never")),
              },
              {
                label: t("actions"),
                isLabelHidden: true,
                cell: (each) =>
                  mayWrite
                    ? html`<button type="button" class="quiet danger" aria-label=${t("removeOne", { name: each.secretId })} @click=${() => this.#askToRemoveSecret(application, each)}>${t("remove")}</button>`
                    : nothing,
              },
            ],
            application.secrets,
          ),
      { lead: t("applications.secretsLead"), actions: mayWrite ? create : nothing },
    );
  }

  async #createSecret({ applicationId }: Application): Promise<void> {
    try {
      const { secret } = await change((options) => applications.createApplicationSecret({ applicationId }, options));
      showOnce(t("secret"), html`<p>${copyable(secret, t("secret"))}</p>`, () => void this.#application.reload());
    } catch (error) {
      notDone(error);
    }
  }

  #askToRemoveSecret({ applicationId, secrets }: Application, { secretId }: ApplicationSecret): void {
    askFirst({
      title: t("applications.removeSecretTitle"),
      action: t("remove"),
      consequences: async () => [t(secrets.length === 1 ? "applications.lastSecret" : "applications.removeSecret")],
      check: () => preview((options) => applications.removeApplicationSecret({ applicationId, secretId }, options)),
      act: async () => {
        await change((options) => applications.removeApplicationSecret({ applicationId, secretId }, options));
        await this.#application.reload();
      },
      done: t("removed", { name: t("secret") }),
    });
  }

  #askToRemove({ applicationId, name: named, secrets }: Application): void {
    askFirst({
      title: t("applications.removeTitle", { name: named }),
      action: t("applications.remove"),
      consequences: async () => [
        t("applications.removeText"),
        ...(secrets.length > 0 ? [counted("applications.endsSecrets", secrets.length)] : []),
      ],
      check: () => preview((options) => applications.removeApplication({ applicationId }, options)),
      act: async () => {
        await change((options) => applications.removeApplication({ applicationId }, options));
        go(["applications"]);
      },
      done: t("removed", { name: named }),
    });
  }
}

customElements.define("keystead-applications", Applications);
customElements.define("keystead-application-new", NewApplication);
customElements.define("keystead-application", OneApplication);
