/** Programs by name: the application and the settings of a recipe, at a host. The server has the recipes. */

import type { Recipe } from "../gen/console/recipes";
import { ROOT } from "../shared/api";
import type { Values } from "./form";
import { loadTranslations, type Translated, translated } from "./translations";

const PLACEHOLDERS = /https:\/\/\{host\}|\{(?:host|issuer|client_id|client_secret)\}/g;
const ISSUER = ROOT.replace(/\/$/, "");
const PRIVATE_HTTP = /^http:\/\/(?!(?:localhost|127\.0\.0\.1|\[::1\])(?::|\/|$))/;

/** All recipes, by the names of their programs. */
export async function loadRecipes(): Promise<readonly Recipe[]> {
  const [{ RECIPES }] = await Promise.all([import("../gen/console/recipes"), loadTranslations("notes")]);
  return RECIPES;
}

/** The fields of the application. On the way to another machine, logout tokens need https. */
export function applicationAt({ program, application }: Recipe, host: string): Values {
  const filled = Object.entries({ name: program, ...application }).map(([name, value]) => [
    name,
    Array.isArray(value) ? value.map((each) => fill(String(each), host)) : fill(value, host),
  ]);
  const values: Values = Object.fromEntries(filled);
  if (!PRIVATE_HTTP.test(host) || values.kind !== "APPLICATION_KIND_WEB") return values;
  const { backchannelLogoutUri: _, ...others } = values;
  return { ...others, allowsHttp: true };
}

/** The settings of the program. The server cannot show the secret again, so its place is named. */
export function settingsAt(
  { name, settings }: Recipe,
  host: string,
  clientId: string,
): readonly (readonly [string, string])[] {
  const client = { "{issuer}": ISSUER, "{client_id}": clientId, "{client_secret}": "CLIENT_SECRET" };
  return settings.map(
    ({ where, text }, index) =>
      [translated("notes", `where.${name}.${index}`, where).text, fill(text, host, client).trim()] as const,
  );
}

/** What people must know about the program; empty for most. */
export function noteOf({ name, note }: Recipe): Translated {
  return translated("notes", `recipe.${name}`, note.replaceAll("{issuer}", ISSUER), { issuer: ISSUER });
}

function fill<Value>(value: Value, host: string, client: Readonly<Record<string, string>> = {}): Value | string {
  if (typeof value !== "string") return value;
  const at = {
    "https://{host}": host.includes("://") ? host : `https://${host}`,
    "{host}": host.replace(/^.*:\/\//, ""),
    ...client,
  };
  return value.replace(PLACEHOLDERS, (placeholder) => at[placeholder as keyof typeof at] ?? placeholder);
}
