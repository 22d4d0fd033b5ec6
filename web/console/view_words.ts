/** The functions of `words.ts` with the texts of all views; `frame.ts` loads these before a view. */

import type { TemplateResult } from "lit";
import * as first from "./words";
import type { Words } from "./words/english";

export type Key = first.Key | keyof Words;

/** Functions that take more keys. */
interface All {
  t(key: Key, values?: Parameters<typeof first.t>[1]): string;
  th(key: Key, values: Parameters<typeof first.th>[1]): TemplateResult;
  counted(one: Key, many: Key, count: number): string;
}

export const { t, th, counted } = first as All;
export { maybe } from "./words";
