// Formats messages: {name}, and the plural and select forms of ICU. Has its own parser because
// English sentences are the catalog keys and are parsed in the browser: a library's parser would
// cost ten times as much of the first load (docs/adr/0011). Not supported: dates and numbers inside
// messages (lib/dates.ts and lib/words.ts format them), nested quoting.

export type Words = Readonly<Record<string, string | number>>;

type Choice = {
  name: string;
  kind: string;
  cases: ReadonlyMap<string, readonly Part[]>;
};
type Part = string | { name: string } | Choice;

type Cursor = {
  text: string;
  at: number;
};

/**
 * Parses up to the closing brace of a case, or to the end. `#` is the number of the enclosing
 * plural.
 */
function readParts(cursor: Cursor, isInPlural: boolean): Part[] {
  const parts: Part[] = [];
  let plain = '';
  const flush = () => {
    if (plain !== '') parts.push(plain);
    plain = '';
  };
  const { text } = cursor;
  for (; cursor.at < text.length; cursor.at++) {
    const letter = text[cursor.at];
    if (letter === '}') break;
    if (letter === '{') {
      flush();
      parts.push(readArgument(cursor, isInPlural));
    } else if (letter === '#' && isInPlural) {
      flush();
      parts.push({ name: '#' });
    } else plain += letter;
  }
  flush();
  return parts;
}

/** Parses from an opening brace to its closing brace, and leaves the cursor on that. */
function readArgument(cursor: Cursor, isInPlural: boolean): Part {
  const head = /\{\s*([^\s,{}]+)\s*(?:,\s*(\w+)\s*,)?\s*/y;
  head.lastIndex = cursor.at;
  const found = head.exec(cursor.text);
  if (found === null) return '{';
  cursor.at = head.lastIndex;
  const [, name = '', kind] = found;
  if (kind === undefined) return { name };
  const cases = new Map<string, readonly Part[]>();
  const label = /\s*([^\s{}]+)\s*\{/y;
  for (;;) {
    label.lastIndex = cursor.at;
    const next = label.exec(cursor.text);
    if (next === null) break;
    cursor.at = label.lastIndex;
    cases.set(next[1] ?? '', readParts(cursor, isInPlural || kind !== 'select'));
    cursor.at++;
  }
  while (cursor.at < cursor.text.length && cursor.text[cursor.at] !== '}') cursor.at++;
  return { name, kind, cases };
}

const read = new Map<string, readonly Part[]>();
const numbers = new Map<string, Intl.NumberFormat>();
const plurals = new Map<string, Intl.PluralRules>();

/** Returns the memoized result of `make` for `key`. */
function kept<T>(store: Map<string, T>, key: string, make: () => T): T {
  let value = store.get(key);
  if (value === undefined) {
    value = make();
    store.set(key, value);
  }
  return value;
}

/** Formats a number with grouped thousands, as in "2,400". */
export const writeNumber = (locale: string, value: number): string =>
  kept(numbers, locale, () => new Intl.NumberFormat(locale)).format(value);

/**
 * Returns the matching case of a choice: an exact number first, then the plural form of the
 * language, then `other`.
 */
function casePartsOf({ kind, cases }: Choice, value: string | number, locale: string): readonly Part[] {
  const other = cases.get('other') ?? [];
  if (kind === 'select') return cases.get(String(value)) ?? other;
  const exact = cases.get(`=${value}`);
  if (exact !== undefined) return exact;
  const type = kind === 'selectordinal' ? 'ordinal' : 'cardinal';
  const rules = kept(plurals, locale + type, () => new Intl.PluralRules(locale, { type }));
  return cases.get(rules.select(Number(value))) ?? other;
}

function write(parts: readonly Part[], words: Words, locale: string, number: string | number): string {
  let text = '';
  for (const part of parts) {
    if (typeof part === 'string') {
      text += part;
      continue;
    }
    const value = part.name === '#' ? number : words[part.name];
    if (value === undefined) text += `{${part.name}}`;
    else if ('cases' in part) {
      const inner = part.kind === 'select' ? number : value;
      text += write(casePartsOf(part, value, locale), words, locale, inner);
    } else text += typeof value === 'number' ? writeNumber(locale, value) : value;
  }
  return text;
}

/**
 * Returns the message with its arguments filled in. A missing argument stays in braces. Numbers are
 * formatted for `locale`.
 */
export function formatMessage(message: string, words: Words, locale: string): string {
  if (!message.includes('{')) return message;
  const parts = kept(read, message, () => readParts({ text: message, at: 0 }, false));
  return write(parts, words, locale, '');
}
