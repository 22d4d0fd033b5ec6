/** The base of all views, and the ways in which they load: one object, or a list page by page. */

import { html, LitElement, nothing, type ReactiveController, type TemplateResult } from "lit";
import { leftAt } from "./back";
import { locale } from "../shared/words";
import { failed, failureOf } from "./failure";
import type { Route } from "./router";
import { t } from "./words";

/** A view of the console. It renders into the document, whose one style sheet and IDs it shares. */
export abstract class View extends LitElement {
  /** The address of the view; its first part is the kind of view. */
  route!: Route;
  /** The step of the history at which the view is (`back.ts`). */
  step = "";
  /** Whether the heading takes the focus once it is there, so that keyboards and screen readers continue at it. */
  isFocusDue = false;
  /** The items of each list of the view. */
  readonly lists: (() => readonly unknown[] | undefined)[] = [];

  protected override createRenderRoot(): this {
    return this;
  }

  protected override updated(): void {
    const heading = this.querySelector("h1");
    if (!heading) return;
    document.title = `${heading.textContent?.trim()} – ${t("console")}`;
    if (this.isFocusDue) heading.focus({ preventScroll: true }); // the frame scrolls
    this.isFocusDue = false;
  }
}

/** Loads one value, and shows that it loads, that it failed, or a template of the value. */
export class Loaded<Value> implements ReactiveController {
  value: Value | undefined;
  error: unknown;
  #turn = 0;

  constructor(
    private readonly host: View,
    private readonly load: () => Promise<Value>,
  ) {
    host.addController(this);
  }

  hostConnected(): void {
    if (this.value === undefined) void this.reload();
  }

  hostDisconnected(): void {
    this.#turn += 1; // an answer that comes later is not used
  }

  /** Loads the value again; the former one stays until then. */
  async reload(): Promise<void> {
    const turn = ++this.#turn;
    try {
      const value = await this.load();
      if (turn !== this.#turn) return;
      this.value = value;
      this.error = undefined;
    } catch (error) {
      if (turn !== this.#turn) return;
      this.error = error;
    }
    this.host.requestUpdate();
  }

  render(template: (value: Value) => TemplateResult): TemplateResult {
    if (this.value !== undefined) {
      // A failed reload leaves the form of the view as it is.
      return html`${this.error === undefined ? nothing : failed(this.error, () => void this.reload())}${template(this.value)}`;
    }
    return this.error === undefined ? loading() : this.#failure();
  }

  #failure(): TemplateResult {
    const { isMissing, isForbidden, title } = failureOf(this.error);
    // The heading of a page whose object is missing.
    const hasHeading = this.host.querySelector("h1:not(.missing)") !== null;
    if ((isMissing || isForbidden) && !hasHeading) {
      return html`<h1 class="missing" tabindex="-1">${title}</h1>
        <p class="lead">${t(isMissing ? "missing.text" : "forbidden.text")}</p>`;
    }
    const heading = hasHeading ? nothing : html`<h1 class="missing" tabindex="-1">${t("failure.loading")}</h1>`;
    return html`${heading}${failed(this.error, () => void this.reload())}`;
  }
}

/** A page of a list. */
export interface Page<Item> {
  readonly items: readonly Item[];
  /** Empty on the last page. */
  readonly next: string;
}

/** The most pages that are read at once: those of a search can have few items or none, as the server examines a limited number of users for each. */
const MOST_PAGES = 40;
/** Further pages are read until this number of items is new. */
const ENOUGH_ITEMS = 50;

/** A list is loaded again after a pause of this length in typing, or in events that change it. */
const PAUSE_MILLISECONDS = 250;

/** Loads a list page by page. */
export class Paged<Item> implements ReactiveController {
  items: readonly Item[] | undefined;
  error: unknown;
  isLoading = false;
  #isMore = false;
  #next = "";
  #turn = 0;
  readonly #number: number;
  #due: ReturnType<typeof setTimeout> | undefined;

  constructor(
    private readonly host: View,
    private readonly load: (token: string) => Promise<Page<Item>>,
    private readonly enough = ENOUGH_ITEMS,
  ) {
    this.#number = host.lists.push(() => this.items) - 1;
    host.addController(this);
  }

  /** Loads the list. After Back, the items of before are there meanwhile, so that the person finds the place again. */
  hostConnected(): void {
    if (this.items !== undefined) return;
    this.items = leftAt(this.host.step)?.lists[this.#number] as readonly Item[] | undefined;
    void this.#append([], this.items?.length);
  }

  hostDisconnected(): void {
    this.#turn += 1;
    clearTimeout(this.#due);
  }

  get hasMore(): boolean {
    return this.#next !== "";
  }

  /** Loads the first page again. */
  reload(): Promise<void> {
    this.#isMore = false;
    this.#next = "";
    return this.#append([]);
  }

  /** Loads the first page again when no further call follows within the pause. */
  reloadSoon(): void {
    clearTimeout(this.#due);
    this.#due = setTimeout(() => void this.reload(), PAUSE_MILLISECONDS);
  }

  /** Loads the next page. */
  more(): Promise<void> {
    this.#isMore = true;
    return this.#append(this.items ?? []);
  }

  /** Loads further items, which appear as they come. Those of before the first one stay until then. */
  async #append(before: readonly Item[], kept = 0): Promise<void> {
    const turn = ++this.#turn;
    this.isLoading = true;
    this.error = undefined;
    this.host.requestUpdate();
    try {
      let items = before;
      for (let pages = 1, isRead = false; !isRead; pages += 1) {
        const page = await this.load(this.#next);
        if (turn !== this.#turn) return;
        items = [...items, ...page.items];
        this.#next = page.next;
        isRead = !page.next || items.length - before.length >= Math.max(kept, this.enough) || pages === MOST_PAGES;
        if (isRead || items.length > Math.max(kept, before.length)) this.items = items;
        this.host.requestUpdate();
      }
    } catch (error) {
      if (turn !== this.#turn) return;
      this.error = error;
    }
    this.isLoading = false;
    this.host.requestUpdate();
  }

  /** The items by `template`, `empty` without any, and the button for the next page. */
  render(template: (items: readonly Item[]) => TemplateResult, empty: TemplateResult): TemplateResult {
    const { items } = this;
    if (!items) return this.error === undefined ? loading() : failed(this.error, () => void this.reload());
    const rest =
      this.error !== undefined
        ? failed(this.error, () => void this.more())
        : this.hasMore && this.isLoading && !this.#isMore
          ? loading()
          : this.hasMore
            ? html`<button type="button" class="more" aria-disabled=${this.isLoading} aria-busy=${this.isLoading} @click=${() => this.isLoading || void this.more()}>${t("more")}</button>`
            : nothing;
    return html`${items.length > 0 || this.hasMore ? template(items) : empty}${rest}`;
  }
}

/** The number of items of a list, as the server gives it with the first page. */
export function totalOf({
  totalSize,
  totalSizeIsMinimum,
}: {
  readonly totalSize: number;
  readonly totalSizeIsMinimum: boolean;
}): string {
  return `${totalSize.toLocaleString(locale)}${totalSizeIsMinimum ? "+" : ""}`;
}

/** Appears after a moment, because most answers come sooner. */
function loading(): TemplateResult {
  return html`<p class="loading" role="status">${t("loading")}</p>`;
}
