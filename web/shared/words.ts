/** The texts of the pages, in the first language of the browser that has a catalogue, or as an application prefers. */

import type { Child } from "./dom";
import { de } from "./words/de";
import { type Catalogue, en } from "./words/en";

export type TextKey = keyof Catalogue["texts"];
export type RefusalKey = keyof Catalogue["refusals"];

const PLACE = /\{(\w+)\}/g;
const CATALOGUES: Readonly<Record<string, Catalogue>> = { en, de };

/** A language tag of the browser with its region, such as `de-AT`. `Accept-Language` has the same list. */
export let locale = firstKnown(navigator.languages) ?? "en";
let catalogue = catalogueOf(locale);

/** Changes to the first of these languages that has a catalogue, if any. Call before the first view. */
export function preferLanguages(tags: readonly string[]): void {
  locale = firstKnown(tags) ?? locale;
  catalogue = catalogueOf(locale);
}

function firstKnown(tags: readonly string[]): string | undefined {
  return tags.find((each) => Object.hasOwn(CATALOGUES, languageOf(each)));
}

function catalogueOf(tag: string): Catalogue {
  return CATALOGUES[languageOf(tag)] ?? en;
}

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
