/** The texts of the pages, in the first language of the browser that has texts, or as an application prefers. */

import { LANGUAGES } from "../gen/languages";
import type { Pages } from "../words/types";
import type { Child } from "./dom";

export type TextKey = keyof Pages["texts"];
export type RefusalKey = keyof Pages["refusals"];
export type Language = keyof typeof LANGUAGES;

const PLACE = /\{(\w+)\}/g;
const CODES = Object.keys(LANGUAGES) as Language[];

/** The language of the texts, which are files of their own: a page loads one. */
export let language: Language;
/** A language tag of the browser with its region, such as `de-AT`, for dates and numbers. */
export let locale: string;
let pages: Pages;

// The server has chosen the language of the page by `Accept-Language`, which has the same list.
choose(navigator.languages) || choose([document.documentElement.lang]) || choose(CODES);

/**
 * Loads the texts of the first of these languages that has some, if any. Call before the first view.
 *
 * Not at the top level of this module: Safari runs modules that import it before such a module has ended
 * (https://bugs.webkit.org/show_bug.cgi?id=242740).
 */
export async function loadTexts(tags: readonly string[] = []): Promise<void> {
  choose(tags);
  pages = await LANGUAGES[language].pages();
}

function choose(tags: readonly string[]): boolean {
  const tag = tags.find(languageOf);
  if (tag === undefined) return false;
  language = languageOf(tag)!;
  locale = sharesScript(tag, language) ? tag : language;
  return true;
}

/** The language for a tag, as `server/values/languages.py` finds it. */
export function languageOf(tag: string): Language | undefined {
  const subtags = tag.toLowerCase().split("-");
  const truncated = subtags.map((_, dropped) => subtags.slice(0, subtags.length - dropped).join("-"));
  for (const each of truncated) {
    const found = CODES.find((code) => code.toLowerCase() === each);
    if (found) return found;
  }
  return CODES.find((code) => code.split("-", 1)[0] === subtags[0]);
}

/** Whether dates of the tag suit the texts: those of `zh-TW` are in other characters than texts of `zh-Hans`. */
function sharesScript(tag: string, code: Language): boolean {
  try {
    const [given, own] = [tag, code].map((each) => new Intl.Locale(each).maximize().script);
    return given === own;
  } catch {
    return false; // not a language tag
  }
}

/** A text with its placeholders replaced by values. */
export function text(key: TextKey, values: Readonly<Record<string, string>> = {}): string {
  return pages.texts[key].replace(PLACE, (_, name: string) => values[name] ?? "");
}

/** The text of a key that has a word of the server; undefined if there is none. */
export function maybeText(key: string, values: Readonly<Record<string, string>>): string | undefined {
  return Object.hasOwn(pages.texts, key) ? text(key as TextKey, values) : undefined;
}

/** The same with elements as values. */
export function textWith(key: TextKey, values: Readonly<Record<string, Child>>): Child[] {
  return pages.texts[key].split(PLACE).map((part, index) => (index % 2 ? values[part] : part));
}

/** Title and text of a refusal; undefined for an unknown key. */
export function refusalWords(key: string): readonly [title: string, text: string] | undefined {
  return Object.hasOwn(pages.refusals, key) ? pages.refusals[key as RefusalKey] : undefined;
}
