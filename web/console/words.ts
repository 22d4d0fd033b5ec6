/**
 * The texts of the console, in the language that `shared/words.ts` has chosen.
 *
 * The first view loads its own texts. `view_words.ts` has the same functions for all other views.
 */

import { html, nothing, type TemplateResult } from "lit";
import { LANGUAGES } from "../gen/console/languages";
import { language, locale } from "../shared/words";
import type { ConsoleWords, FirstKey, FirstPlural, FirstWords, Refusals } from "../words/types";

export type Key = FirstKey;
export type Plural = FirstPlural;
type Value = string | number | TemplateResult;
/** The forms of a text by number. A language has no others for whole numbers below a million. */
type Forms = Readonly<Partial<Record<Intl.LDMLPluralRule, string>>>;

/** The texts are files of their own: the console loads those of one language. */
interface Loads {
  readonly first: () => Promise<FirstWords>;
  readonly words: () => Promise<ConsoleWords>;
  readonly refusals?: () => Promise<Refusals>;
}

const PLACE = /\{(\w+)\}/g;
const LOADS: Readonly<Record<typeof language, Loads>> = LANGUAGES;
let words: FirstWords;
let refusals: Refusals | undefined;

/** Loads the texts of the first view. Call after `loadTexts` and before it. */
export async function loadWords(): Promise<void> {
  words = await LOADS[language].first();
}

/** Loads all other texts. Call before any other view. */
export async function loadViewWords(): Promise<void> {
  const [others, translated] = await Promise.all([LOADS[language].words(), LOADS[language].refusals?.()]);
  words = { ...words, ...others };
  refusals = translated;
}

/** The sentence for a refusal; undefined in the language of the server, for an unknown reason, and in the first view. */
export function refusalOf(reason: string, metadata: Readonly<Record<string, string>>): string | undefined {
  const sentence = refusals && Object.hasOwn(refusals, reason) ? refusals[reason as keyof Refusals] : undefined;
  return sentence?.replace(PLACE, (_, name: string) => metadata[name] ?? "");
}

/** The sentence for a violation, in which `{number}` is that of the server's own; undefined as for refusals. */
export function violationOf(reason: string, description: string): string | undefined {
  return refusalOf(`violation.${reason}`, { number: /\d+/.exec(description)?.[0] ?? "" });
}

/** The text of a key, filled. */
export function t(key: Key, values: Readonly<Record<string, string | number>> = {}): string {
  return filled(words[key], values);
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

/** A text by number, with `{count}`, which is `shown` if given. */
export function counted(key: Plural, count: number, shown = new Intl.NumberFormat(locale).format(count)): string {
  const forms: Forms = words[key];
  const form = forms[new Intl.PluralRules(locale).select(count)] ?? forms.other ?? forms.many ?? "";
  return filled(form, { count: shown });
}

/** A text with its placeholders replaced by values. */
export function filled(text: string, values: Readonly<Record<string, string | number>>): string {
  return text.replace(PLACE, (_, name: string) => String(values[name] ?? ""));
}
