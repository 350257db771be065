// The search language: words, "phrases", operators, -negation, OR, parentheses. Every input parses
// to something, and nothing throws. search.ts matches words against the index, row-predicate.ts
// matches server rows.
import { type Calendar, deviceCalendar, readDate, readSpan } from './dates.ts';
import { fold } from './fold.ts';
import { QUERY_MAX_CHARACTERS, QUERY_MAX_CONDITIONS, QUERY_MAX_DEPTH } from './limits.ts';
import { findNumber } from './numbers.ts';
import { wantedTerms } from './terms.ts';

export type FieldName = 'from' | 'to' | 'subject' | 'body' | 'filename';

export const STATES = [
  'unread',
  'read',
  'starred',
  'archived',
  'flagged',
  'draft',
  'sent',
  'snoozed',
] as const;
export type State = (typeof STATES)[number];

/** One condition that a message must satisfy. */
export type Condition =
  /** Text in one field, or in any. Words match by prefix; exact ones match whole and adjacent. */
  | {
      readonly kind: 'words';
      readonly field: FieldName | null;
      readonly text: string;
      readonly isExact: boolean;
    }
  /** Arrived at or after `from` and before `to`, ms. */
  | { readonly kind: 'date'; readonly from: number | null; readonly to: number | null }
  | { readonly kind: 'attachment' }
  | { readonly kind: 'is'; readonly state: State }
  | { readonly kind: 'in'; readonly place: string }
  | { readonly kind: 'tag'; readonly name: string }
  /** At least `min` and less than `max` bytes. */
  | { readonly kind: 'size'; readonly min: number; readonly max: number | null };

/** A Boolean combination of conditions. A number is an index into the list of conditions. */
export type Formula =
  | { readonly kind: 'condition'; readonly index: number }
  | { readonly kind: 'not'; readonly part: Formula }
  | { readonly kind: 'and' | 'or'; readonly parts: readonly Formula[] };

export type Query = { readonly formula: Formula | null; readonly conditions: readonly Condition[] };

/** A piece of a typed query. */
export type Piece = {
  readonly kind: 'words' | 'phrase' | 'operator' | 'or' | 'open' | 'close';
  /** In lower case, without the colon; '' if there is none. */
  readonly operator: string;
  /** Without quotes. */
  readonly value: string;
  readonly isNegated: boolean;
  readonly isQuoted: boolean;
  readonly start: number;
  readonly end: number;
};

/** Operators that users can type, in the order in which they are suggested. */
export const OPERATORS = [
  'from',
  'to',
  'subject',
  'has',
  'tag',
  'is',
  'in',
  'before',
  'after',
  'filename',
  'larger',
  'smaller',
] as const;
export type Operator = (typeof OPERATORS)[number];

const SAME: Readonly<Record<string, Operator>> = {
  sender: 'from',
  recipient: 'to',
  cc: 'to',
  bcc: 'to',
  label: 'tag',
  older: 'before',
  newer: 'after',
  since: 'after',
  until: 'before',
  older_than: 'before',
  newer_than: 'after',
  file: 'filename',
  size: 'larger',
};

/** Returns the operator with this name, or null. */
export const findOperator = (name: string): Operator | null =>
  (OPERATORS as readonly string[]).includes(name)
    ? (name as Operator)
    : Object.hasOwn(SAME, name)
      ? (SAME[name] as Operator)
      : null;

const isBlank = (character: string): boolean => /\s/.test(character);
const QUOTES: Readonly<Record<string, string>> = { '"': '"', '“': '”', '„': '“', '«': '»' };

/**
 * Splits a typed query into its pieces, in order. Linear. Unclosed quotes and parentheses end with
 * the text.
 */
export function readPieces(typed: string): Piece[] {
  const text = typed.slice(0, QUERY_MAX_CHARACTERS);
  const pieces: Piece[] = [];
  let at = 0;
  const quoted = (): string => {
    const close = QUOTES[text.charAt(at)] ?? '"';
    const from = at + 1;
    const ends = [close, '"'].map(mark => text.indexOf(mark, from)).filter(end => end >= 0);
    const end = ends.length === 0 ? text.length : Math.min(...ends);
    at = Math.min(text.length, end + 1);
    return text.slice(from, end);
  };
  const plain = (): string => {
    const from = at;
    while (at < text.length && !isBlank(text.charAt(at)) && !'()'.includes(text.charAt(at))) at++;
    return text.slice(from, at);
  };
  while (at < text.length) {
    const character = text.charAt(at);
    const start = at;
    if (isBlank(character)) {
      at++;
      continue;
    }
    const base = { operator: '', value: '', isNegated: false, isQuoted: false, start };
    if (character === '(' || character === ')') {
      at++;
      pieces.push({ ...base, kind: character === '(' ? 'open' : 'close', end: at });
      continue;
    }
    const isNegated = character === '-' && at + 1 < text.length && !isBlank(text.charAt(at + 1));
    if (isNegated) at++;
    if (text.charAt(at) === '(') {
      at++;
      pieces.push({ ...base, kind: 'open', isNegated, end: at });
      continue;
    }
    const name = /^[a-z_]{2,12}:/i.exec(text.slice(at, at + 13))?.[0] ?? '';
    const operator = name === '' ? null : findOperator(name.slice(0, -1).toLowerCase());
    if (operator !== null) {
      at += name.length;
      const isQuoted = text.charAt(at) in QUOTES;
      const value = isQuoted ? quoted() : plain();
      pieces.push({ ...base, kind: 'operator', operator, value, isNegated, isQuoted, end: at });
    } else if (text.charAt(at) in QUOTES) {
      const value = quoted();
      pieces.push({ ...base, kind: 'phrase', value, isNegated, isQuoted: true, end: at });
    } else {
      const value = plain();
      const isOr = !isNegated && (value === 'OR' || value === '|');
      pieces.push({ ...base, kind: isOr ? 'or' : 'words', value, isNegated, end: at });
    }
    if (at === start) at++;
  }
  return pieces;
}

const FIELD_OF: Readonly<Partial<Record<Operator, FieldName>>> = {
  from: 'from',
  to: 'to',
  subject: 'subject',
  filename: 'filename',
};

const ownOf = <Value>(table: Readonly<Record<string, Value>>, name: string): Value | undefined =>
  Object.hasOwn(table, name) ? table[name] : undefined;

const PLACES: Readonly<Record<string, string>> = {
  inbox: 'recieved',
  received: 'recieved',
  archive: 'archived',
  spam: 'flagged',
  junk: 'flagged',
  trash: 'deleted',
  bin: 'deleted',
  draft: 'drafts',
  anywhere: 'all',
  everywhere: 'all',
};

const STATE_NAMES: Readonly<Record<string, State>> = {
  star: 'starred',
  spam: 'flagged',
  archive: 'archived',
  drafts: 'draft',
};

const hasTerms = (text: string): boolean => wantedTerms(fold(text), false).length > 0;

function readSize(text: string): number | null {
  const match = /^(\d{1,12}(?:[.,]\d{1,3})?)\s*([kmg]?)i?b?$/i.exec(text.trim());
  if (match === null) return null;
  const unit = { k: 1_024, m: 1_048_576, g: 1_073_741_824 }[(match[2] ?? '').toLowerCase()] ?? 1;
  return Math.round(Number((match[1] ?? '').replace(',', '.')) * unit);
}

/** Maximum groups that are read as one number. */
const GROUPS_MAX = 12;

/** Returns the condition of a piece, or null if it is incomplete, such as `from:` alone. */
function conditionOf(piece: Piece, calendar: Calendar): Condition | null {
  const { value, isQuoted } = piece;
  const words = (field: FieldName | null, text = value): Condition | null =>
    hasTerms(text) ? { kind: 'words', field, text, isExact: isQuoted } : null;
  if (piece.kind !== 'operator') return words(null);
  const operator = piece.operator as Operator;
  const field = FIELD_OF[operator];
  if (field !== undefined) return words(field);
  const wanted = value.trim().toLowerCase();
  if (wanted === '') return null;
  switch (operator) {
    case 'has':
      if (/^(attachments?|files?)$/.test(wanted)) return { kind: 'attachment' };
      return wanted === 'star' ? { kind: 'is', state: 'starred' } : words(null, `has ${value}`);
    case 'is': {
      const state = (STATES as readonly string[]).includes(wanted)
        ? (wanted as State)
        : ownOf(STATE_NAMES, wanted);
      return state === undefined ? words(null, `is ${value}`) : { kind: 'is', state };
    }
    case 'tag':
      return { kind: 'tag', name: value.trim() };
    case 'in':
      return {
        kind: 'in',
        place: ownOf(PLACES, wanted) ?? (wanted === value.trim() ? wanted : value.trim()),
      };
    case 'larger':
    case 'smaller': {
      const size = readSize(wanted);
      if (size === null) return words(null, `${operator} ${value}`);
      return operator === 'larger'
        ? { kind: 'size', min: size, max: null }
        : { kind: 'size', min: 0, max: size };
    }
    case 'before':
    case 'after': {
      const day = readDate(wanted, calendar) ?? readSpan(wanted, calendar);
      if (day === null) return words(null, `${operator} ${value}`);
      return operator === 'before'
        ? { kind: 'date', from: null, to: day }
        : { kind: 'date', from: day, to: null };
    }
    default:
      return null;
  }
}

const GROUP = /^[+(]?\p{L}{0,4}\d[\d.\-/()]*$/u;

/** Returns how many pieces, starting at `at`, form one grouped number; 0 if none. */
function countGroups(pieces: readonly Piece[], at: number): number {
  let end = at;
  while (end < pieces.length && end - at < GROUPS_MAX) {
    const { kind, isNegated, value } = pieces[end] as Piece;
    if (kind !== 'words' || isNegated || !GROUP.test(value)) break;
    end++;
  }
  const text = pieces
    .slice(at, end)
    .map(({ value }) => value)
    .join(' ');
  return end - at > 1 && findNumber(text) !== null ? end - at : 0;
}

/**
 * Parses a query. Never throws; drops excess and meaningless parts. Days are those of the calendar.
 */
export function parseQuery(typed: string, calendar: Calendar = deviceCalendar(new Date())): Query {
  const pieces = readPieces(typed);
  const conditions: Condition[] = [];
  let at = 0;
  const put = (condition: Condition): Formula => {
    conditions.push(condition);
    return { kind: 'condition', index: conditions.length - 1 };
  };
  /** Matches the groups anywhere, or the ungrouped number. */
  const numberOf = (groups: readonly Piece[]): Formula => {
    const parts = groups.flatMap(piece => {
      const condition = conditionOf(piece, calendar);
      return condition === null ? [] : [put(condition)];
    });
    const text = groups.map(({ value }) => value).join(' ');
    return {
      kind: 'or',
      parts: [{ kind: 'and', parts }, put({ kind: 'words', field: null, text, isExact: false })],
    };
  };
  const group = (depth: number): Formula | null => {
    const choices: Formula[][] = [[]];
    const add = (part: Formula | null, isNegated: boolean): void => {
      if (part !== null) choices.at(-1)?.push(isNegated ? { kind: 'not', part } : part);
    };
    for (; at < pieces.length; at++) {
      const piece = pieces[at] as Piece;
      if (piece.kind === 'close') {
        if (depth > 0) break;
      } else if (piece.kind === 'or') choices.push([]);
      else if (piece.kind === 'open') {
        if (depth >= QUERY_MAX_DEPTH) continue;
        at++;
        add(group(depth + 1), piece.isNegated);
      } else if (conditions.length < QUERY_MAX_CONDITIONS) {
        const count = conditions.length + GROUPS_MAX < QUERY_MAX_CONDITIONS ? countGroups(pieces, at) : 0;
        if (count > 0) {
          add(numberOf(pieces.slice(at, at + count)), false);
          at += count - 1;
          continue;
        }
        const condition = conditionOf(piece, calendar);
        if (condition === null) continue;
        add(put(condition), piece.isNegated);
      }
    }
    const parts = choices.map(all).filter(part => part !== null);
    if (parts.length <= 1) return parts[0] ?? null;
    return { kind: 'or', parts };
  };
  return { formula: group(0), conditions };
}

const all = (parts: readonly Formula[]): Formula | null =>
  parts.length <= 1 ? (parts[0] ?? null) : { kind: 'and', parts };

/**
 * Evaluates a formula in Kleene's three-valued logic; null while unknown conditions decide the
 * result.
 */
export function judge(formula: Formula, truthOf: (index: number) => boolean | null): boolean | null {
  if (formula.kind === 'condition') return truthOf(formula.index);
  if (formula.kind === 'not') {
    const part = judge(formula.part, truthOf);
    return part === null ? null : !part;
  }
  const deciding = formula.kind === 'or';
  let isOpen = false;
  for (const part of formula.parts) {
    const truth = judge(part, truthOf);
    if (truth === deciding) return deciding;
    if (truth === null) isOpen = true;
  }
  return isOpen ? null : !deciding;
}
