/** The texts of the console, in the language that `shared/words.ts` has chosen. */

import { html, nothing, type TemplateResult } from "lit";
import { locale } from "../shared/words";
import type { Words } from "./words/english";

export type Key = keyof Words;
type Value = string | number | TemplateResult;

const PLACE = /\{(\w+)\}/g;
let words: Words;

/** Loads the texts. Call after `loadTexts` and before the first view. */
export async function loadWords(): Promise<void> {
  words = locale.toLowerCase().startsWith("de")
    ? (await import("./words/german")).german
    : (await import("./words/english")).english;
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
