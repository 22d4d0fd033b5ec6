/** Programs by name: the application and the settings of a recipe, at a host. The server has the recipes. */

import type { Recipe } from "../gen/console/recipes";
import { ROOT } from "../shared/api";
import type { Values } from "./form";

const PLACEHOLDERS = /https:\/\/\{host\}|\{(?:host|issuer|client_id|client_secret)\}/g;
const PRIVATE_HTTP = /^http:\/\/(?!(?:localhost|127\.0\.0\.1|\[::1\])(?::|\/|$))/;

/** All recipes, by the names of their programs. */
export async function loadRecipes(): Promise<readonly Recipe[]> {
  const { RECIPES } = await import("../gen/console/recipes");
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
  { settings }: Recipe,
  host: string,
  clientId: string,
): readonly (readonly [string, string])[] {
  const client = { "{issuer}": ROOT.replace(/\/$/, ""), "{client_id}": clientId, "{client_secret}": "CLIENT_SECRET" };
  return settings.map(({ where, text }) => [where, fill(text, host, client).trim()] as const);
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
