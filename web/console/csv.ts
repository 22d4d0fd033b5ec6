/** Lists as files in CSV (RFC 4180). */

/**
 * The place at which a formula begins, in some spreadsheet: https://owasp.org/www-community/attacks/CSV_Injection
 * Where numbers have decimal commas, spreadsheets begin a cell after each semicolon, also between quotation marks.
 */
const FORMULA = /(^|;)(?=[=+\-@\t\r\n\uff0b\uff0d\uff1d\uff20])/g;

/** A cell that no spreadsheet takes for a formula. */
export function cellOf(text: string): string {
  const harmless = text.replace(FORMULA, "$1'");
  return /[",\r\n]/.test(harmless) ? `"${harmless.replaceAll('"', '""')}"` : harmless;
}

/** Saves rows, the first of which has the names of the columns. */
export function save(fileName: string, rows: readonly (readonly string[])[]): void {
  const lines = rows.map((row) => `${row.map(cellOf).join(",")}\r\n`);
  const url = URL.createObjectURL(new Blob(["\ufeff", ...lines], { type: "text/csv;charset=utf-8" }));
  const link = document.createElement("a");
  link.href = url;
  link.download = fileName;
  link.click();
  setTimeout(() => URL.revokeObjectURL(url), 1000);
}
