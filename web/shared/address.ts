/**
 * The origins at which this server's pages work. Passkeys belong to them, not to other names of the machine.
 *
 * The server writes its settings into the page: behind a proxy, only the browser certainly knows the address.
 */

import { h } from "./dom";
import { text } from "./words";

const written = document.querySelector<HTMLMetaElement>('meta[name="keystead-origins"]')?.content ?? "";
const ORIGINS = written.split(" ").filter((each) => each !== "");
const LOOPBACK = /^(.+\.)?localhost$|^127\.\d+\.\d+\.\d+$|^\[::1\]$/;

/** Whether it is one of these origins. */
export const isOwn = (origin: string) => ORIGINS.includes(origin);

/** Whether this page is at one of these origins. */
export const isProper = isOwn(location.origin);

/**
 * Opens the same page at the origin that differs in its host alone, if there is one; returns whether it does.
 *
 * Only this machine reaches its loopback addresses, so they lead to each other only. Paths, queries and fragments
 * stay. The target is a setting of the server, and never redirects: its own origin is among the settings.
 */
export function isRedirected(): boolean {
  if (isProper) return false;
  const target = ORIGINS.map((each) => new URL(each)).find(
    ({ protocol, port, hostname }) =>
      protocol === location.protocol &&
      port === location.port &&
      LOOPBACK.test(hostname) === LOOPBACK.test(location.hostname),
  );
  if (target) location.replace(hereAt(target.origin));
  return target !== undefined;
}

/** A link to this page at the first of these origins; undefined at one of them. `address` is that of this page. */
export function properLink(address = location.href): HTMLElement | undefined {
  const [origin] = ORIGINS;
  if (isProper || !origin) return undefined;
  const link = h(
    "a",
    { class: "primary", href: hereAt(origin, new URL(address)) },
    text("address.open", { host: new URL(origin).host }),
  );
  return h("div", { class: "actions" }, link);
}

function hereAt(origin: string, { pathname, search, hash }: URL | Location = location): string {
  return origin + pathname + search + hash;
}
