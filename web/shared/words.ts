/** The texts of the pages, in the first language of the browser that has a catalogue, or as an application prefers. */

import type { Child } from "./dom";
import type { Catalogue } from "./words/en";

export type TextKey = keyof Catalogue["texts"];
export type RefusalKey = keyof Catalogue["refusals"];

const PLACE = /\{(\w+)\}/g;
/** The catalogues are files of their own: a page loads one. */
const CATALOGUES: Readonly<Record<string, () => Promise<Catalogue>>> = {
  en: async () => (await import("./words/en")).en,
  de: async () => (await import("./words/de")).de,
};
const OTHERWISE = "en";

/** A language tag of the browser with its region, such as `de-AT`. `Accept-Language` has the same list. */
export let locale = firstKnown(navigator.languages) ?? OTHERWISE;
let catalogue: Catalogue;

/**
 * Loads the texts of the first of these languages that has a catalogue, if any. Call before the first view.
 *
 * Not at the top level of this module: Safari runs modules that import it before such a module has ended
 * (https://bugs.webkit.org/show_bug.cgi?id=242740).
 */
export async function loadTexts(tags: readonly string[] = []): Promise<void> {
  locale = firstKnown(tags) ?? locale;
  catalogue = await (CATALOGUES[languageOf(locale)] ?? CATALOGUES[OTHERWISE]!)();
}

function firstKnown(tags: readonly string[]): string | undefined {
  return tags.find((each) => Object.hasOwn(CATALOGUES, languageOf(each)));
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
