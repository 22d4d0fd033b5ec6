/**
 * The texts of the console, in the language that `shared/words.ts` has chosen.
 *
 * The first view loads its own texts. `view_words.ts` has the same functions for all other views.
 */

import { html, nothing, type TemplateResult } from "lit";
import { locale } from "../shared/words";
import type { REASONS } from "../gen/console/reasons";
import type { Words } from "./words/english";
import type { FigureWords } from "./words/english_figures";
import type { FirstWords } from "./words/english_first";

export type Key = keyof FirstWords;
type Value = string | number | TemplateResult;

/** The refusals of the server in a language other than its own; one that lacks a reason does not compile. */
export type Refusals = Readonly<Record<(typeof REASONS)[number], string>>;

/** The texts are files of their own: the console loads those of one language. */
interface Language {
  readonly first: () => Promise<FirstWords>;
  readonly figures: () => Promise<FigureWords>;
  readonly others: () => Promise<readonly [words: Words, refusals?: Refusals]>;
}

const PLACE = /\{(\w+)\}/g;
const ENGLISH: Language = {
  first: async () => (await import("./words/english_first")).englishFirst,
  figures: async () => (await import("./words/english_figures")).englishFigures,
  others: async () => [(await import("./words/english")).english],
};
const LANGUAGES: Readonly<Record<string, Language>> = {
  de: {
    first: async () => (await import("./words/german_first")).germanFirst,
    figures: async () => (await import("./words/german_figures")).germanFigures,
    others: async () => {
      const [{ german }, { germanRefusals }] = await Promise.all([
        import("./words/german"),
        import("./words/german_refusals"),
      ]);
      return [german, germanRefusals];
    },
  },
};
let words: FirstWords;
let refusals: Refusals | undefined;

function language(): Language {
  return LANGUAGES[locale.split("-", 1)[0]?.toLowerCase() ?? ""] ?? ENGLISH;
}

/** Loads the texts of the first view. Call after `loadTexts` and before it. */
export async function loadWords(): Promise<void> {
  words = await language().first();
}

/** Loads the texts of the figures, which come after the first view. */
export async function loadFigureWords(): Promise<void> {
  const figures = await language().figures();
  words = { ...words, ...figures };
}

/** Loads all other texts. Call before any other view. */
export async function loadViewWords(): Promise<void> {
  const [others, translated] = await language().others();
  words = { ...words, ...others };
  refusals = translated;
}

/** The sentence for a refusal; undefined in the language of the server, for an unknown reason, and in the first view. */
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
