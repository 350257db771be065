// Cells that a spreadsheet would take for formulas. Each gets an apostrophe before it when it is written, as does one that begins
// with apostrophes and then such a sign; reading takes one away again.

/** What a spreadsheet would compute. A phone number with its country is none. */
export const FORMULA = /^(?:'*[=\-@\t\r\n＝－＠]|'+[+＋]|＋|\+(?!\d[\d\s()./-]{3,}$))/;

/**
 * The same behind a semicolon, tab or line end in a cell: a program that parts cells by these begins a new one there. What only
 * begins with a dash or a plus is a list or a number, unless it also calls something.
 */
const INNER = /(?<=[;\t\n])(?='*(?:[=@＝＠]|[-+－＋][^;\t\n]*[|(!]))/g;
const GUARDED = /(?<=[;\t\n])'(?='*(?:[=@＝＠]|[-+－＋][^;\t\n]*[|(!]))/g;

/** A cell without formulas in it; what stands at its beginning is the writing library's to guard. */
export const withInnerGuards = (cell: string): string => cell.replace(INNER, "'");

/** A cell without what spreadsheets, and our own export, put before what could be taken for a formula. */
export const withoutGuards = (cell: string): string =>
  cell.replace(/^'(?='*[=+\-@\t\r\n＝＋－＠])/, '').replace(GUARDED, '');
