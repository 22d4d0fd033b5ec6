/** The functions of `words.ts` with the texts of the figures; the overview loads these before them. */

import * as first from "./words";
import type { FigureWords } from "./words/english_figures";

export type Key = first.Key | keyof FigureWords;

/** Functions that take more keys. */
interface All {
  t(key: Key, values?: Parameters<typeof first.t>[1]): string;
  counted(one: Key, many: Key, count: number): string;
}

export const { t, counted } = first as All;
