/** Addresses of views: `#/users/ID?org=ID`. The fragment never reaches the server, and needs no route there. */

/** The address of a view. */
export interface Route {
  readonly path: readonly string[];
  readonly query: URLSearchParams;
}

/** The route of the address of this page. */
export function currentRoute(): Route {
  const [path = "", query = ""] = location.hash.replace(/^#\/?/, "").split("?", 2);
  return { path: path.split("/").filter(Boolean).map(decoded), query: new URLSearchParams(query) };
}

/** The selected organization, if it is not that of the person. */
export function selectedOrganization(): string {
  return currentRoute().query.get("org") ?? "";
}

/** The address of a view of the selected organization, for `href`. */
export function to(path: readonly string[], query: Readonly<Record<string, string>> = {}): string {
  const parameters = new URLSearchParams({ org: selectedOrganization(), ...query });
  for (const [name, value] of [...parameters]) if (!value) parameters.delete(name);
  const search = parameters.size > 0 ? `?${parameters}` : "";
  return `#/${path.map(encodeURIComponent).join("/")}${search}`;
}

/** The value of a key that comes from an address; those of the prototype are none. */
export function own<Value>(values: Readonly<Record<string, Value>>, key: string): Value | undefined {
  return Object.hasOwn(values, key) ? values[key] : undefined;
}

/** Opens a view; the browser's Back leads to this one. */
export function go(path: readonly string[], query: Readonly<Record<string, string>> = {}): void {
  location.hash = to(path, query);
}

/** Takes the value of a changed filter, by the name of its control, into the query and the address, without a step for Back. */
export function filterBy(event: Event, { path, query }: Route): void {
  const { name, value, type, checked } = event.target as HTMLInputElement;
  setFilter(name, type === "checkbox" ? (checked ? "1" : "") : value.trim(), { path, query });
}

/** Takes a filter into the query and the address; an empty one leaves them. */
export function setFilter(name: string, value: string, { path, query }: Route): void {
  if (value) query.set(name, value);
  else query.delete(name);
  history.replaceState(history.state, "", to(path, Object.fromEntries(query)));
}

/** The route, and the address, of an object whose name is the last part of the path and has changed. */
export function renamed({ path }: Route, last: string): Route {
  history.replaceState(history.state, "", to([...path.slice(0, -1), last]));
  return currentRoute();
}

function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}
