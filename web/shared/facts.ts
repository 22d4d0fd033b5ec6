/** The terms, values and times on a card. */

import { type Timestamp, timestampDate } from "@bufbuild/protobuf/wkt";
import { h } from "./dom";
import { locale, text } from "./words";

const DAY = new Intl.DateTimeFormat(locale, { dateStyle: "medium" });
const MOMENT = new Intl.DateTimeFormat(locale, { dateStyle: "medium", timeStyle: "short" });

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

function time(timestamp: Timestamp | undefined, format: Intl.DateTimeFormat): string | HTMLElement {
  if (!timestamp) return text("unknownTime");
  const date = timestampDate(timestamp);
  return h("time", { datetime: date.toISOString() }, format.format(date));
}
