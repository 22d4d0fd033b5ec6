/** Texts of the server, which are English, in the language of the console. A view loads the kind that it shows. */

import { LANGUAGES } from "../gen/console/translations";
import { language } from "../shared/words";
import { filled } from "./words";

type Texts = Readonly<Record<string, string>>;
type Loads = (typeof LANGUAGES)[keyof typeof LANGUAGES];
type Kind = keyof Loads;

/** A text and its language. */
export interface Translated {
  readonly text: string;
  readonly lang: string;
}

const LOADS: Readonly<Record<string, Loads | undefined>> = LANGUAGES;
const loaded: Partial<Record<Kind, Texts>> = {};

/** Loads the texts of a kind. Call before `translated`. */
export async function loadTranslations(kind: Kind): Promise<void> {
  loaded[kind] = (await LOADS[language]?.[kind]()) ?? {};
}

/** The text of a key, in which `{name}` is a value; the English one if a newer server has given it. */
export function translated(
  kind: Kind,
  key: string,
  english: string,
  values: Readonly<Record<string, string>> = {},
): Translated {
  const texts = loaded[kind] ?? {};
  return Object.hasOwn(texts, key)
    ? { text: filled(texts[key]!, values), lang: language }
    : { text: english, lang: "en" };
}
