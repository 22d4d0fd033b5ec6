/** The texts of the pages, in the first language of the browser that has a catalogue. */

import type { Child } from "./dom";
import { de } from "./words/de";
import { type Catalogue, en } from "./words/en";

export type TextKey = keyof Catalogue["texts"];
export type RefusalKey = keyof Catalogue["refusals"];

const PLACE = /\{(\w+)\}/g;
const CATALOGUES: Readonly<Record<string, Catalogue>> = { en, de };

/** A language tag of the browser with its region, such as `de-AT`. `Accept-Language` has the same list. */
export const locale = navigator.languages.find((each) => languageOf(each) in CATALOGUES) ?? "en";
const catalogue = CATALOGUES[languageOf(locale)] ?? en;

function languageOf(tag: string): string {
  return tag.split("-", 1)[0]?.toLowerCase() ?? "";
}

/** A text with its placeholders replaced by values. */
export function text(key: TextKey, values: Readonly<Record<string, string>> = {}): string {
  return catalogue.texts[key].replace(PLACE, (_, name: string) => values[name] ?? "");
}

/** The same with elements as values. */
export function textWith(key: TextKey, values: Readonly<Record<string, Child>>): Child[] {
  return catalogue.texts[key].split(PLACE).map((part, index) => (index % 2 ? values[part] : part));
}

/** Title and text of a refusal; undefined for an unknown key. */
export function refusalWords(key: string): readonly [title: string, text: string] | undefined {
  return Object.hasOwn(catalogue.refusals, key) ? catalogue.refusals[key as RefusalKey] : undefined;
}
