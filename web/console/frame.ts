/** The frame of the console: navigation, the selected organization, the person, and the view of the address. */

import { html, LitElement, nothing, type TemplateResult } from "lit";
import { UserService } from "../gen/console/keystead/user/v1/user_service_pb";
import { OrganizationService } from "../gen/console/keystead/org/v1/organization_service_pb";
import { showBrandOf } from "../shared/brand";
import { sessionService } from "../shared/session";
import { tellTabs } from "../shared/tabs";
import { hasConsole, homeId, homeName, may, me, type Method, organizationId, signedInAs } from "./access";
import { client, read } from "./api";
import { currentStep, leaveStep, leftAt } from "./back";
import { failed } from "./failure";
import { leave } from "./leaving";
import { leaveNotice, notDone, notice, onNotice } from "./notice";
import { icon, name } from "./parts";
import { onNewBrand } from "./rebrand";
import { currentRoute, own, type Route, to } from "./router";
import type { View } from "./view";
import { type Key, loadViewWords, t } from "./words";

const IS_MAC = /^(Mac|iP)/.test(navigator.platform);

const organizations = client(OrganizationService);
const users = client(UserService);

/** A place of the navigation. Its views are loaded when they are opened first. */
interface Place {
  readonly label: Key;
  readonly glyph: Parameters<typeof icon>[0];
  /** The method without which the place is not shown. */
  readonly needs?: Method;
  readonly load: () => Promise<Readonly<Record<"views", (route: Route) => string>>>;
}

const PLACES: Readonly<Record<string, Place>> = {
  "": { label: "overview", glyph: "overview", load: () => import("./views/overview") },
  organizations: {
    label: "organizations",
    glyph: "orgs",
    needs: "OrganizationService/GetOrganization",
    load: () => import("./views/organizations"),
  },
  users: { label: "users", glyph: "users", needs: "UserService/ListUsers", load: () => import("./views/users") },
  sessions: {
    label: "sessions",
    glyph: "sessions",
    needs: "SessionService/ListOrganizationSessions",
    load: () => import("./views/sessions"),
  },
  groups: { label: "groups", glyph: "groups", needs: "GroupService/ListGroups", load: () => import("./views/groups") },
  attributes: {
    label: "attributes",
    glyph: "attributes",
    needs: "AttributeService/ListAttributeDefinitions",
    load: () => import("./views/attributes"),
  },
  applications: {
    label: "applications",
    glyph: "applications",
    needs: "ApplicationService/ListApplications",
    load: () => import("./views/applications"),
  },
  idps: { label: "idps", glyph: "idps", needs: "IdentityProviderService/ListIDPs", load: () => import("./views/idps") },
  mail: { label: "mail", glyph: "smtp", needs: "MailService/ListMails", load: () => import("./views/mail") },
  push: { label: "push", glyph: "push", needs: "PushService/ListSubscriptions", load: () => import("./views/push") },
  events: { label: "events", glyph: "events", needs: "EventService/ListEvents", load: () => import("./views/events") },
  system: {
    label: "system",
    glyph: "system",
    needs: "SystemService/GetSystem",
    load: () => import("./views/system"),
  },
};

function mayOpen({ needs }: Place): boolean {
  return hasConsole() && (!needs || may(needs));
}

function currentPlace(): Place | undefined {
  return own(PLACES, currentRoute().path[0] ?? "");
}

/** Loads the views of a place, and their texts unless they are those of the first view. */
async function loaded(place: Place): ReturnType<Place["load"]> {
  const [views] = await Promise.all([place.load(), place !== PLACES[""] && loadViewWords()]);
  return views;
}

/** The element `<keystead-console>`, the whole page. */
export class Console extends LitElement {
  #isReady = false;
  #error: unknown;
  #view: View | undefined;
  #isMenuOpen = false;
  #organization = "";
  #organizationName = "";
  #logo: HTMLImageElement | undefined;
  #turn = 0;

  protected override createRenderRoot(): this {
    return this;
  }

  /** Shows the console once the person is known; without a session, the page leads to the sign-in. */
  async open(): Promise<void> {
    this.querySelector("noscript")?.remove();
    onNotice(() => this.requestUpdate());
    onNewBrand(async () => {
      this.#organization = "";
      await Promise.all([this.#nameOrganization(), this.#showBrand()]);
    });
    history.scrollRestoration = "manual"; // a view has no height before its objects are loaded
    addEventListener("hashchange", () => {
      this.#leave();
      leaveNotice();
      // A question belongs to the view that was left; a secret that is shown once stays.
      for (const dialog of document.querySelectorAll<HTMLDialogElement>("dialog:has(form)")) dialog.close();
      this.#isMenuOpen = false;
      if (this.#isReady) void this.#show({ isFocusDue: true });
    });
    addEventListener("keydown", (event) => {
      const isCalled = (IS_MAC ? event.metaKey : event.ctrlKey) && !event.altKey && !event.shiftKey;
      if (!isCalled || event.key.toLowerCase() !== "k" || !this.#isReady || !hasConsole()) return;
      event.preventDefault();
      void this.#search();
    });
    await this.#start();
  }

  async #start(): Promise<void> {
    this.#error = undefined;
    try {
      const { user, orgName } = await read((options) => users.getCurrentUser({}, options));
      if (user) signedInAs(user, orgName);
      // Nothing is shown before the brand, so that no colour changes.
      const place = currentPlace();
      await Promise.all([this.#showBrand(), place && loaded(place)]);
      this.#isReady = true;
      await this.#show();
    } catch (error) {
      this.#error = error;
    }
    this.requestUpdate();
  }

  #showBrand(): Promise<void> {
    return showBrandOf(organizationId(), (logo) => {
      this.#logo = logo;
      this.requestUpdate();
    });
  }

  async #show({ isFocusDue = false } = {}): Promise<void> {
    const turn = ++this.#turn;
    const route = currentRoute();
    const place = currentPlace();
    void this.#nameOrganization();
    void this.#showBrand();
    if (!place || !mayOpen(place)) {
      this.#view = undefined;
      this.requestUpdate();
      return;
    }
    const { views } = await loaded(place);
    if (turn !== this.#turn) return; // another view was opened meanwhile
    const tag = views(route);
    const view = document.createElement(tag) as View;
    view.route = route;
    view.step = currentStep();
    view.isFocusDue = isFocusDue;
    this.#view = view;
    this.requestUpdate();
    await this.updateComplete;
    await view.updateComplete;
    if (turn === this.#turn) scrollTo(0, leftAt(view.step)?.scroll ?? 0);
  }

  /** Keeps the place of the view that the person leaves. */
  #leave(): void {
    const view = this.#view;
    if (view) leaveStep(view.step, { scroll: scrollY, lists: view.lists.map((items) => items()) });
  }

  async #nameOrganization(): Promise<void> {
    const orgId = organizationId();
    if (orgId === this.#organization) return;
    this.#organization = orgId;
    this.#organizationName = orgId === homeId() ? homeName() : "";
    if (this.#organizationName || !may("OrganizationService/GetOrganization")) return this.requestUpdate();
    try {
      const { organization } = await read((options) => organizations.getOrganization({ orgId }, options));
      if (this.#organization === orgId) this.#organizationName = organization?.name ?? "";
    } catch {
      this.#organizationName = orgId; // the view tells the reason
    }
    this.requestUpdate();
  }

  protected override render(): TemplateResult | typeof nothing {
    if (this.#error !== undefined) {
      return html`<main class="alone"><h1 tabindex="-1">${t("console")}</h1>${failed(this.#error, () => void this.#start())}</main>`;
    }
    if (!this.#isReady) return nothing;
    return html`
      <a class="skip" href="#main" @click=${this.#skip}>${t("skip")}</a>
      <header>
        <a class="product" href="#/">${this.#logo ?? html`<img src=${new URL("../shared/icon.svg", import.meta.url).href} alt="" width="28" height="28" />`}<span>${t("console")}<small>${name(document.getElementById("site")?.textContent || location.hostname)}</small></span></a>
        ${hasConsole() ? html`<button type="button" class="find" aria-haspopup="dialog" aria-keyshortcuts=${IS_MAC ? "Meta+K" : "Control+K"} @click=${() => void this.#search()}>${icon("search")}<span>${t("find")}</span><kbd aria-hidden="true">${IS_MAC ? "⌘K" : "Ctrl K"}</kbd></button>` : nothing}
        <button type="button" class="icon-button menu" aria-expanded=${this.#isMenuOpen} aria-controls="places" @click=${this.#toggleMenu}>${icon("menu")}<span class="hidden">${t("menu")}</span></button>
      </header>
      <nav class="side ${this.#isMenuOpen ? "open" : ""}" id="places" aria-label=${t("places")}>
        <div>
          ${this.#scope()}
          <ul>${Object.entries(PLACES).map(([path, place]) => this.#link(path, place))}</ul>
          ${this.#person()}
        </div>
      </nav>
      <main id="main">${notice()}${this.#view ?? this.#forbidden()}</main>`;
  }

  #scope(): TemplateResult | typeof nothing {
    if (!hasConsole()) return nothing;
    const isAway = organizationId() !== homeId();
    return html`<div class="scope">
      <small>${t("scope")}</small>
      <strong>${name(this.#organizationName || "…")}</strong>
      ${isAway ? html`<a href="#/">${t("scope.back")}</a>` : nothing}
    </div>`;
  }

  #link(path: string, place: Place): TemplateResult | typeof nothing {
    if (!mayOpen(place)) return nothing;
    const { label, glyph } = place;
    const isCurrent = (currentRoute().path[0] ?? "") === path;
    return html`<li><a href=${to(path ? [path] : [])} aria-current=${isCurrent ? "page" : nothing}>${icon(glyph)}${t(label)}</a></li>`;
  }

  #person(): TemplateResult {
    const { displayName, userName } = me();
    const shown = displayName || userName;
    return html`<div class="person">
      <p><strong>${name(shown)}</strong>${shown === userName ? nothing : html`<small>${name(userName)}</small>`}</p>
      <a href="../account/">${t("account")}</a>
      <button type="button" class="link" @click=${() => void this.#signOut()}>${t("signOut")}</button>
    </div>`;
  }

  #forbidden(): TemplateResult {
    const isUnknown = hasConsole() && !currentPlace();
    return html`<h1 tabindex="-1">${t(isUnknown ? "unknown.title" : "forbidden.title")}</h1>
      <p class="lead">${t(isUnknown ? "unknown.text" : "forbidden.text")}</p>
      <div class="actions">${hasConsole() ? html`<a class="primary" href="#/">${t("toOverview")}</a>` : html`<a class="primary" href="../account/">${t("account")}</a>`}</div>`;
  }

  /** Opens the search, which no view needs before. */
  async #search(): Promise<void> {
    if (document.querySelector("dialog[open]")) return;
    let typed = "";
    const keep = (event: KeyboardEvent): void => {
      if (event.key.length !== 1 || event.ctrlKey || event.metaKey || event.altKey) return;
      event.preventDefault();
      typed += event.key; // the person does not wait for the dialog
    };
    addEventListener("keydown", keep);
    try {
      const [{ openSearch }] = await Promise.all([import("./search"), loadViewWords()]);
      const places = Object.entries(PLACES).filter(([, place]) => mayOpen(place));
      openSearch(
        places.map(([path, { label }]) => ({ label: t(label), href: to(path ? [path] : []) })),
        typed,
      );
    } catch (error) {
      notDone(error);
    } finally {
      removeEventListener("keydown", keep);
    }
  }

  readonly #toggleMenu = () => {
    this.#isMenuOpen = !this.#isMenuOpen;
    this.requestUpdate();
  };

  /** The fragment of the address is that of the view, so the link cannot lead to the content itself. */
  readonly #skip = (event: Event) => {
    event.preventDefault();
    this.querySelector<HTMLElement>("h1")?.focus();
  };

  async #signOut(): Promise<void> {
    try {
      await sessionService.signOut({});
      tellTabs("signed-out");
      leave("signed-out");
    } catch (error) {
      notDone(error);
    }
  }
}
