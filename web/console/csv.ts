/** Lists as files in CSV (RFC 4180). */

/** With these a formula begins, in some spreadsheet: https://owasp.org/www-community/attacks/CSV_Injection */
const FORMULA = /^[=+\-@\t\r\n\uff0b\uff0d\uff1d\uff20]/;

/** A cell that no spreadsheet takes for a formula. */
export function cellOf(text: string): string {
  const harmless = FORMULA.test(text) ? `'${text}` : text;
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
