/** The functions of `words.ts` with the texts of all views; `frame.ts` loads these before a view. */

import type { TemplateResult } from "lit";
import type { ConsoleKey, ConsolePlural } from "../words/types";
import * as first from "./words";

export type Key = first.Key | ConsoleKey;
export type Plural = first.Plural | ConsolePlural;

/** Functions that take more keys. */
interface All {
  t(key: Key, values?: Parameters<typeof first.t>[1]): string;
  th(key: Key, values: Parameters<typeof first.th>[1]): TemplateResult;
  counted(key: Plural, count: number, shown?: string): string;
}

export const { t, th, counted } = first as All;
export { maybe } from "./words";
