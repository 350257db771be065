// Converts between the text of a query and the content of the search field: operators as chips, the
// rest as editable text. The text is authoritative; chips are parsed from it and written back into
// it.
import { findOperator, OPERATORS, type Operator, type Piece, parseQuery, readPieces } from './query.ts';

/** An operator with its value, as a chip shows it. */
export type Chip = { readonly operator: Operator; readonly value: string; readonly isNegated: boolean };

/** A query as the search field shows it. */
export type Typed = { readonly chips: readonly Chip[]; readonly text: string };

const hasMeaning = (piece: Piece, typed: string): boolean =>
  piece.value.trim() !== '' &&
  parseQuery(typed.slice(piece.start, piece.end)).conditions.some(
    condition => condition.kind !== 'words' || condition.field !== null,
  );

/**
 * Splits a query. While the user types, an operator at the very end stays text. A query with OR or
 * parentheses, which a row of chips cannot express, is entirely text.
 */
export function splitQuery(typed: string, isFinished: boolean): Typed {
  const pieces = readPieces(typed);
  if (pieces.some(({ kind }) => kind === 'or' || kind === 'open' || kind === 'close'))
    return { chips: [], text: typed };
  const chips: Chip[] = [];
  let text = '';
  let at = 0;
  for (const piece of pieces) {
    const isOpen = !isFinished && piece.end >= typed.length && !/["”“»\s]$/.test(typed);
    if (piece.kind !== 'operator' || isOpen || !hasMeaning(piece, typed)) continue;
    chips.push({ operator: piece.operator as Operator, value: piece.value, isNegated: piece.isNegated });
    text += typed.slice(at, piece.start);
    at = piece.end;
    while (/\s/.test(typed.charAt(at))) at++;
  }
  text += typed.slice(at);
  return { chips, text: chips.length === 0 ? text : text.trimStart() };
}

const needsQuotes = (value: string): boolean => value === '' || /[\s()"“”„«»]/.test(value);

/** Returns the text of a chip. Quotes inside a value cannot be expressed and become blanks. */
export function chipText({ operator, value, isNegated }: Chip): string {
  const plain = value.replace(/["“”„«»\s]+/g, ' ').trim();
  return `${isNegated ? '-' : ''}${operator}:${needsQuotes(plain) ? `"${plain}"` : plain}`;
}

/** Returns the canonical text of chips and the remaining text. */
export const joinQuery = ({ chips, text }: Typed): string =>
  [...chips.map(chipText), text].filter(part => part.trim() !== '').join(' ');

/**
 * Returns the operator being typed at the end of a text, with its partial value; null when there is
 * none.
 */
export function operatorAtEnd(text: string): { readonly operator: Operator; readonly value: string } | null {
  const match = /(?:^|\s)-?([a-z_]{2,12}):("?)([^"\s]*)$/i.exec(text);
  const operator = match === null ? null : findOperator((match[1] ?? '').toLowerCase());
  return operator === null ? null : { operator, value: match?.[3] ?? '' };
}

/** Returns the operators whose name begins with the last word of a text. */
export function operatorsFor(text: string): readonly Operator[] {
  const last = /(?:^|\s)-?([a-z]*)$/i.exec(text)?.[1]?.toLowerCase() ?? null;
  return last === null ? [] : OPERATORS.filter(name => name.startsWith(last) && name !== last);
}

/** Returns the text with its last word, or the operator at its end, replaced. */
export const replaceLast = (text: string, by: string): string => text.replace(/(^|\s)-?[^\s]*$/, `$1${by}`);
