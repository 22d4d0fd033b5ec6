/**
 * What all views are made of: elements, and one place where a view replaces another.
 *
 * Text enters the document as text only; nothing here or elsewhere parses HTML.
 */

type Child = Node | string | false | undefined;
type Attributes = Record<string, string | boolean | ((event: Event) => void)>;

/** An element. `true` sets an attribute without a value, `onclick` and the like listen. */
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
 * Focus moves to the heading, so that a keyboard or a screen reader goes on from there; not for the
 * first view, where it would skip what precedes the heading.
 */
export function show(title: string, ...view: Child[]): void {
  const main = found("main");
  const isFirst = !main.querySelector("h1[tabindex]");
  const heading = h("h1", { tabindex: "-1" }, title);
  // An open dialog would keep the focus, and is about what is no longer shown.
  for (const dialog of document.querySelectorAll("dialog")) dialog.close();
  main.replaceChildren(heading, ...present(view));
  document.title = `${title} – ${location.hostname}`;
  say("");
  if (!isFirst) heading.focus();
}

/** Tells what has happened, or is happening, above the view: seen, and read aloud when it suits. */
export function say(text: string): void {
  found("status").textContent = text;
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
