// Between the text of a query and what the search field shows: operators as chips, the rest as text that is typed on. The
// text is the truth; chips are read from it and written back into it.
import { findOperator, OPERATORS, type Operator, type Piece, parseQuery, readPieces } from './query.ts';

/** An operator with its value, as a chip shows it. */
export type Chip = { readonly operator: Operator; readonly value: string; readonly isNegated: boolean };

/** A query as the field shows it. */
export type Typed = { readonly chips: readonly Chip[]; readonly text: string };

const hasMeaning = (piece: Piece, typed: string): boolean =>
  piece.value.trim() !== '' &&
  parseQuery(typed.slice(piece.start, piece.end)).conditions.some(
    condition => condition.kind !== 'words' || condition.field !== null,
  );

/**
 * Splits a query. While it is being typed, the operator at its very end is still text. With OR or parentheses, which no
 * row of chips can say, all of it is text.
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

/** The text of a chip. Quotes inside a value cannot be said and become blanks. */
export function chipText({ operator, value, isNegated }: Chip): string {
  const plain = value.replace(/["“”„«»\s]+/g, ' ').trim();
  return `${isNegated ? '-' : ''}${operator}:${needsQuotes(plain) ? `"${plain}"` : plain}`;
}

/** The canonical text of chips and the rest. */
export const joinQuery = ({ chips, text }: Typed): string =>
  [...chips.map(chipText), text].filter(part => part.trim() !== '').join(' ');

/** The operator that is being typed at the end of a text, with what of its value is there; null when there is none. */
export function operatorAtEnd(text: string): { readonly operator: Operator; readonly value: string } | null {
  const match = /(?:^|\s)-?([a-z_]{2,12}):("?)([^"\s]*)$/i.exec(text);
  const operator = match === null ? null : findOperator((match[1] ?? '').toLowerCase());
  return operator === null ? null : { operator, value: match?.[3] ?? '' };
}

/** Operators whose name begins with the last word of a text. */
export function operatorsFor(text: string): readonly Operator[] {
  const last = /(?:^|\s)-?([a-z]*)$/i.exec(text)?.[1]?.toLowerCase() ?? null;
  return last === null ? [] : OPERATORS.filter(name => name.startsWith(last) && name !== last);
}

/** The text with its last word, or the operator at its end, replaced. */
export const replaceLast = (text: string, by: string): string => text.replace(/(^|\s)-?[^\s]*$/, `$1${by}`);
