/** The types of the texts of a language. One that lacks a text, or a form of a plural, does not compile. */

import type english from "../gen/console/english.json";
import type { REASONS, VIOLATIONS } from "../gen/console/reasons";
import type { words } from "./en/console";
import type { first } from "./en/first";
import type { pages } from "./en/pages";

type Forms<Category extends string> = Readonly<Record<Category, string>>;

/** The categories of whole numbers below a million (Unicode CLDR), which `Intl.PluralRules` gives. */
export interface Plurals {
  readonly en: Forms<"one" | "other">;
  readonly de: Forms<"one" | "other">;
  readonly fr: Forms<"one" | "other">;
  readonly es: Forms<"one" | "other">;
  readonly it: Forms<"one" | "other">;
  readonly "pt-BR": Forms<"one" | "other">;
  readonly nl: Forms<"one" | "other">;
  readonly pl: Forms<"one" | "few" | "many">;
  readonly ja: Forms<"other">;
  readonly "zh-Hans": Forms<"other">;
}
export type Language = keyof Plurals;

type Texts<English, Of extends Language> = {
  readonly [Key in keyof English]: English[Key] extends string ? string : Plurals[Of];
};
/** The keys of texts, and those of texts by number. */
export type KeysOf<English, Value> = {
  [Key in keyof English]: English[Key] extends Value ? Key : never;
}[keyof English];

/** The text of the pages that people use. */
export interface Pages {
  readonly texts: Readonly<Record<keyof typeof pages.texts, string>>;
  readonly refusals: Readonly<Record<keyof typeof pages.refusals, readonly [title: string, text: string]>>;
}
/** The text of the first view of the console. */
export type FirstWords<Of extends Language = Language> = Texts<typeof first, Of>;
/** The text of all its further views. */
export type ConsoleWords<Of extends Language = Language> = Texts<typeof words, Of>;
/** The refusals of the server in a language other than its own, by their reasons, and those of values. */
export type Refusals = Readonly<Record<(typeof REASONS)[number] | `violation.${(typeof VIOLATIONS)[number]}`, string>>;
/** The remedies of refused requests of applications, by their causes. */
export type Remedies = Readonly<Record<keyof typeof english.remedies, string>>;
/** The texts of presets and recipes. */
export type Notes = Readonly<Record<keyof typeof english.notes, string>>;
/** The findings of the view of the system: names of checks, sentences and remedies. */
export type Findings = Readonly<Record<keyof typeof english.findings, string>>;

export type FirstKey = KeysOf<typeof first, string>;
export type FirstPlural = KeysOf<typeof first, object>;
export type ConsoleKey = KeysOf<typeof words, string>;
export type ConsolePlural = KeysOf<typeof words, object>;
