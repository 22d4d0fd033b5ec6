/** The texts of the console, in the language that `shared/words.ts` has chosen. */

import { html, nothing, type TemplateResult } from "lit";
import { locale } from "../shared/words";
import type { REASONS } from "../gen/console/reasons";
import type { Words } from "./words/english";

export type Key = keyof Words;
type Value = string | number | TemplateResult;

/** The refusals of the server in a language other than its own; one that lacks a reason does not compile. */
export type Refusals = Readonly<Record<(typeof REASONS)[number], string>>;

interface Language {
  readonly words: Words;
  readonly refusals?: Refusals;
}

const PLACE = /\{(\w+)\}/g;
/** The texts are files of their own: the console loads those of one language. */
const LANGUAGES: Readonly<Record<string, () => Promise<Language>>> = {
  en: async () => ({ words: (await import("./words/english")).english }),
  de: async () => {
    const [{ german }, { germanRefusals }] = await Promise.all([
      import("./words/german"),
      import("./words/german_refusals"),
    ]);
    return { words: german, refusals: germanRefusals };
  },
};
let words: Words;
let refusals: Refusals | undefined;

/** Loads the texts. Call after `loadTexts` and before the first view. */
export async function loadWords(): Promise<void> {
  const load = LANGUAGES[locale.split("-", 1)[0]?.toLowerCase() ?? ""] ?? LANGUAGES["en"]!;
  ({ words, refusals } = await load());
}

/** The sentence for a refusal; undefined in the language of the server, and for an unknown reason. */
export function refusalOf(reason: string, metadata: Readonly<Record<string, string>>): string | undefined {
  const sentence = refusals && Object.hasOwn(refusals, reason) ? refusals[reason as keyof Refusals] : undefined;
  return sentence?.replace(PLACE, (_, name: string) => metadata[name] ?? "");
}

/** A text with its placeholders replaced by values. */
export function t(key: Key, values: Readonly<Record<string, string | number>> = {}): string {
  return words[key].replace(PLACE, (_, name: string) => String(values[name] ?? ""));
}

/** The same with templates as values. */
export function th(key: Key, values: Readonly<Record<string, Value>>): TemplateResult {
  const parts = words[key].split(PLACE);
  return html`${parts.map((part, index) => (index % 2 ? (values[part] ?? nothing) : part))}`;
}

/** The text of a key that is made of names of the schema; undefined if there is none. */
export function maybe(key: string): string | undefined {
  return Object.hasOwn(words, key) ? words[key as Key] : undefined;
}

/** A text by number: `few` for 1 and `many` otherwise, both with `{count}`. */
export function counted(one: Key, many: Key, count: number): string {
  return t(count === 1 ? one : many, { count: new Intl.NumberFormat(locale).format(count) });
}
