/** People as text: a CSV file with any of the usual separators, or mail addresses between other text. */

import { language } from "../shared/words";
import type { Language } from "../words/types";
import { COLUMN_NAMES } from "./column_names";

/** The fields of a person that a column can have. */
export const FIELDS = [
  "email",
  "userName",
  "displayName",
  "givenName",
  "familyName",
  "locale",
  "externalId",
  "groups",
] as const;
export type PersonField = (typeof FIELDS)[number];

export interface PeopleTable {
  /** The names of the columns; empty without a header. */
  readonly header: readonly string[];
  readonly columns: readonly (PersonField | undefined)[];
  readonly rows: readonly (readonly string[])[];
  /** The numbers of their lines. */
  readonly lines: readonly number[];
  /** Text in which no address was found. */
  readonly rest: string;
}

/** Reads pasted text or the text of a file. */
export function peopleOf(text: string): PeopleTable {
  const [[, header] = [0, []], ...numbered] = rowsOf(text);
  const rows = numbered.map(([, row]) => row);
  const named = header.map(fieldOf);
  const columns = named.map((each, index) => (named.indexOf(each) === index ? each : undefined));
  // A column of an unknown name has the addresses if all its cells are some.
  const hasAddresses = (_: unknown, index: number) => rows.every((row) => LONE_ADDRESS.test(row[index] ?? ""));
  const found = columns.includes("email") || header.join().includes("@") ? -1 : header.findIndex(hasAddresses);
  if (rows.length > 0 && found >= 0) columns[found] = "email";
  return columns.includes("email")
    ? { header, columns, rows, lines: numbered.map(([line]) => line), rest: "" }
    : addressesOf(text);
}

/** The field of a column, by its name in the language of the page, in English, or in another language. */
function fieldOf(name: string): PersonField | undefined {
  const plain = name.toLowerCase().replace(/[^\p{L}\p{N}]/gu, "");
  if (plain === "") return undefined;
  const ofLanguages = [COLUMN_NAMES[language], COLUMN_NAMES.en, ...Object.values(COLUMN_NAMES)];
  const found = ofLanguages.map((names) => FIELDS.find((field) => names[field].split(" ").includes(plain)));
  return found.find((field) => field !== undefined);
}

const LONE_ADDRESS = /^[^\s<>@,;"]+@[^\s<>@,;"]+$/;
/** `"Lovelace, Ada" <ada@example.com>`, `Ada <ada@example.com>` or `ada@example.com`, with any text in between. */
const ADDRESS =
  /(?:"([^"\n]*)"|([^\s",;<>][^",;<>\n]*?))?\s*<\s*([^\s<>@,;]+@[^\s<>@,;]+)\s*>|(?:mailto:)?([^\s<>@,;"]+@[^\s<>@,;"]+)/g;

function addressesOf(text: string): PeopleTable {
  const found = [...text.matchAll(ADDRESS)];
  const rows = found.map(([, quoted, name, within, alone]) => [within ?? alone ?? "", (quoted ?? name ?? "").trim()]);
  let [line, before] = [1, 0];
  const lines = found.map(({ 0: { length }, index }) => {
    line += text.slice(before, index + length).split("\n").length - 1;
    before = index + length;
    return line;
  });
  const rest = text
    .replace(ADDRESS, " ")
    .replace(/[\s,;]+/g, " ")
    .trim();
  return { header: [], columns: ["email", "displayName"], rows, lines, rest };
}

/**
 * The rows of a CSV text (RFC 4180) with their numbers, separated by the semicolon, tab or comma that the unquoted text of its first line has most
 * of. If two are as many, the comma is the text of a name.
 */
function rowsOf(given: string): (readonly [line: number, row: string[]])[] {
  const text = given.replaceAll(/\r\n?/g, "\n");
  const [line = ""] = text.trimStart().split("\n", 1);
  const count = (separator: string) => line.replaceAll(/"[^"]*"/g, "").split(separator).length;
  const separator = [";", "\t", ","].reduce((most, each) => (count(each) > count(most) ? each : most));
  const rows: string[][] = [];
  let row: string[] = [];
  let cell = "";
  let isQuoted = false;
  for (let at = 0; at < text.length; at += 1) {
    const character = text[at]!;
    if (isQuoted) {
      if (character !== '"') cell += character;
      else if (text[at + 1] === '"') cell += text[++at];
      else isQuoted = false;
    } else if (character === '"' && cell.trim() === "") [cell, isQuoted] = ["", true];
    else if (character === separator || character === "\n") {
      row.push(cell.trim());
      cell = "";
      if (character === "\n") [row, rows[rows.length]] = [[], row];
    } else cell += character;
  }
  return [...rows, [...row, cell.trim()]]
    .map((each, at) => [at + 1, each] as const)
    .filter(([, each]) => each.some(Boolean));
}

/** The code pages of spreadsheets by language, where they are not that of Western Europe (WHATWG Encoding). */
const CODE_PAGES: Partial<Record<Language, string>> = { ja: "shift_jis", pl: "windows-1250", "zh-Hans": "gb18030" };

/** The text of a file: UTF-16 with its mark, UTF-8, or else the code page of spreadsheets in this language. */
export async function textOf(file: Blob): Promise<string> {
  const bytes = new Uint8Array(await file.arrayBuffer());
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return new TextDecoder("utf-16le").decode(bytes);
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return new TextDecoder("utf-16be").decode(bytes);
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    return new TextDecoder(CODE_PAGES[language] ?? "windows-1252").decode(bytes);
  }
}
