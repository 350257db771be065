// Guards cells that a spreadsheet would treat as formulas. Writing puts an apostrophe before such a
// cell, and before a cell that begins with apostrophes followed by a formula character; reading
// removes one apostrophe.

/** Text that a spreadsheet would evaluate. A phone number with its country code is excluded. */
export const FORMULA = /^(?:'*[=\-@\t\r\n＝－＠]|'+[+＋]|＋|\+(?!\d[\d\s()./-]{3,}$))/;

/**
 * The same after a semicolon, tab or line end inside a cell: a program that splits cells at these
 * starts a new one there. Text that merely begins with a dash or a plus is a list or a number,
 * unless it also contains a call.
 */
const INNER = /(?<=[;\t\n])(?='*(?:[=@＝＠]|[-+－＋][^;\t\n]*[|(!]))/g;
const GUARDED = /(?<=[;\t\n])'(?='*(?:[=@＝＠]|[-+－＋][^;\t\n]*[|(!]))/g;

/** Guards formulas inside a cell; the CSV library guards the beginning of the cell. */
export const withInnerGuards = (cell: string): string => cell.replace(INNER, "'");

/** Removes the guards that spreadsheets, and Keyfold's own export, put before possible formulas. */
export const withoutGuards = (cell: string): string =>
  cell.replace(/^'(?='*[=+\-@\t\r\n＝＋－＠])/, '').replace(GUARDED, '');
