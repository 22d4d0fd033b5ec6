/**
 * Elements, and the container in which views replace each other.
 *
 * Text becomes text nodes; no code of the pages parses HTML.
 */

export type Child = Node | string | false | undefined;
type Attributes = Record<string, string | boolean | ((event: Event) => void)>;

/** An element. `true` sets an attribute without a value; a function is a listener for the event of `onclick` and the like. */
export function h<Tag extends keyof HTMLElementTagNameMap>(
  tag: Tag,
  attributes: Attributes = {},
  ...children: Child[]
): HTMLElementTagNameMap[Tag] {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (typeof value === "function") element.addEventListener(name.slice(2), value);
    else if (value !== false) element.setAttribute(name, value === true ? "" : value);
  }
  element.append(...present(children));
  return element;
}

/**
 * Shows a view under its heading, the only h1 of the page.
 *
 * Focus moves to the heading, so that keyboards and screen readers continue there. The first view leaves
 * the focus, because it would skip the content before the heading.
 */
export function show(title: string, ...view: Child[]): void {
  const container = found("view");
  const isFirst = !container.querySelector("h1[tabindex]");
  const heading = h("h1", { tabindex: "-1" }, title);
  // An open dialog would keep the focus, and belongs to the previous view.
  for (const dialog of document.querySelectorAll("dialog")) dialog.close();
  container.replaceChildren(heading, ...present(view));
  document.title = `${title} – ${found("site").textContent}`;
  say();
  if (!isFirst) heading.focus();
}

/** Removes the view, its dialogs and the status: all text that may be private. */
export function clear(): void {
  for (const dialog of document.querySelectorAll("dialog")) dialog.remove();
  found("view").replaceChildren();
  say();
}

/** Shows a status next to the buttons, which screen readers read politely; without text, removes it. */
export function say(...text: Child[]): void {
  const status = found("status");
  status.className = "";
  status.replaceChildren(...present(text));
}

/** Shows a success in the same place. */
export function sayDone(...text: Child[]): void {
  say(h("span", { "aria-hidden": "true" }, "✓ "), ...text);
  found("status").className = "done";
}

// The explicit formatting characters of UAX #9: an unpaired one would end the isolation.
const TURNS_TEXT = /[\u202a-\u202e\u2066-\u2069]/g;

/** A name that a user chose, isolated from the direction of the text around it. */
export function nameOf(name: string): HTMLElement {
  return h("bdi", {}, name.replaceAll(TURNS_TEXT, ""));
}

/** The same within an attribute. */
export function nameText(name: string): string {
  return `\u2068${name.replaceAll(TURNS_TEXT, "")}\u2069`;
}

/** The element of `index.html` with this id. */
export function found(id: string): HTMLElement {
  const element = document.getElementById(id);
  if (!element) throw new Error(`index.html has no #${id}`);
  return element;
}

function present(children: Child[]): (Node | string)[] {
  return children.filter((child) => child !== undefined && child !== false);
}

let ids = 0;

/** An id that no other element has. */
export function uniqueId(): string {
  ids += 1;
  return `id-${ids}`;
}
