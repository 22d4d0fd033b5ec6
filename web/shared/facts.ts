/** The terms, values and times on a card. */

import { type Timestamp, timestampDate } from "@bufbuild/protobuf/wkt";
import { h } from "./dom";
import { locale, text } from "./words";

const DAY = new Intl.DateTimeFormat(locale, { dateStyle: "medium" });
const MOMENT = new Intl.DateTimeFormat(locale, { dateStyle: "medium", timeStyle: "short" });
const AGO = new Intl.RelativeTimeFormat(locale, { numeric: "auto" });

/** The units of times ago, each up to a number of seconds. Older times are dates. */
const UNITS: readonly (readonly [upTo: number, unit: Intl.RelativeTimeFormatUnit, seconds: number])[] = [
  [60, "second", 60],
  [3600, "minute", 60],
  [86_400, "hour", 3600],
  [30 * 86_400, "day", 86_400],
];

/** A term and its value, for a `dl`. */
export function fact(term: string, value: string | HTMLElement): HTMLElement {
  return h("div", {}, h("dt", {}, term), h("dd", {}, value));
}

export function day(timestamp: Timestamp | undefined): string | HTMLElement {
  return time(timestamp, DAY);
}

export function moment(timestamp: Timestamp | undefined): string | HTMLElement {
  return time(timestamp, MOMENT);
}

export function now(): string {
  return AGO.format(0, "second");
}

/** The time from then until now, such as "2 hours ago"; the date if that is more than 30 days. */
export function ago(timestamp: Timestamp | undefined): string | HTMLElement {
  if (!timestamp) return text("unknownTime");
  const date = timestampDate(timestamp);
  const seconds = Math.max(0, (Date.now() - date.getTime()) / 1000);
  const unit = UNITS.find(([upTo]) => seconds < upTo);
  const words = unit ? AGO.format(-Math.floor(seconds / unit[2]), unit[1]) : DAY.format(date);
  return h("time", { datetime: date.toISOString(), title: MOMENT.format(date) }, words);
}

function time(timestamp: Timestamp | undefined, format: Intl.DateTimeFormat): string | HTMLElement {
  if (!timestamp) return text("unknownTime");
  const date = timestampDate(timestamp);
  return h("time", { datetime: date.toISOString() }, format.format(date));
}
