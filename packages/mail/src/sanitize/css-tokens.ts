// A CSS tokenizer following CSS Syntax Level 3 section 4, and its serializer. Message CSS is
// parsed, never matched by pattern: escapes, comments and unusual spellings of url() disappear here
// (docs/reliability.md#hostile-input). Output has a single spelling, so that no browser can read it
// differently.

/**
 * One token; `text` is its value with escapes resolved (name, string or url content), `source` as
 * for numbers.
 */
export type CssToken = {
  kind:
    | 'ident'
    | 'function'
    | 'at'
    | 'hash'
    | 'string'
    | 'url'
    | 'number' // with its unit or percent sign in `unit`
    | 'delim'
    | 'space'
    | 'bad'
    | '{'
    | '}'
    | '['
    | ']'
    | '('
    | ')'
    | ':'
    | ';'
    | ',';
  text: string;
  unit?: string;
};

const isSpace = (char: string): boolean => char === ' ' || char === '\t' || char === '\n';
const isNameStart = (char: string): boolean => /^[A-Za-z_]$/.test(char) || char > '\u007f';
const isName = (char: string): boolean => isNameStart(char) || /^[0-9-]$/.test(char);
const isDigit = (char: string): boolean => char >= '0' && char <= '9' && char.length === 1;
const isHex = (char: string): boolean => /^[0-9a-f]$/i.test(char);

class Reader {
  position = 0;
  readonly source: string;

  constructor(css: string) {
    this.source = css.replace(/\r\n?|\f/g, '\n').replace(/\0/g, '\ufffd');
  }

  peek(ahead = 0): string {
    return this.source.charAt(this.position + ahead);
  }

  startsEscape(ahead = 0): boolean {
    return this.peek(ahead) === '\\' && this.peek(ahead + 1) !== '\n' && this.peek(ahead + 1) !== '';
  }

  startsIdent(ahead = 0): boolean {
    const first = this.peek(ahead);
    if (first === '-') {
      const second = this.peek(ahead + 1);
      return second === '-' || isNameStart(second) || this.startsEscape(ahead + 1);
    }
    return isNameStart(first) || this.startsEscape(ahead);
  }

  startsNumber(): boolean {
    const sign = this.peek() === '+' || this.peek() === '-' ? 1 : 0;
    return isDigit(this.peek(sign)) || (this.peek(sign) === '.' && isDigit(this.peek(sign + 1)));
  }

  /** Returns the escaped character; call it after the backslash. */
  escape(): string {
    let hex = '';
    while (hex.length < 6 && isHex(this.peek())) hex += this.source.charAt(this.position++);
    if (!hex) {
      const char = String.fromCodePoint(this.source.codePointAt(this.position) ?? 0xfffd);
      this.position += char.length;
      return char;
    }
    if (isSpace(this.peek())) this.position++;
    const code = Number.parseInt(hex, 16);
    const isCharacter = code > 0 && code <= 0x10ffff && (code < 0xd800 || code > 0xdfff);
    return isCharacter ? String.fromCodePoint(code) : '\ufffd';
  }

  name(): string {
    let name = '';
    for (;;) {
      if (this.startsEscape()) {
        this.position++;
        name += this.escape();
      } else if (this.peek() !== '' && isName(this.peek())) name += this.source.charAt(this.position++);
      else return name;
    }
  }

  string(quote: string): CssToken {
    let text = '';
    for (;;) {
      const char = this.peek();
      if (char === '' || char === quote) {
        this.position++;
        return { kind: 'string', text };
      }
      if (char === '\n') return { kind: 'bad', text: '' };
      this.position++;
      if (char !== '\\') text += char;
      else if (this.peek() === '\n') this.position++;
      else if (this.peek() !== '') text += this.escape();
    }
  }

  number(): CssToken {
    const match = /[+-]?(?:\d+(?:\.\d+)?|\.\d+)(?:e[+-]?\d+)?/iy;
    match.lastIndex = this.position;
    const text = match.exec(this.source)?.[0] ?? '0';
    this.position += text.length;
    if (this.peek() === '%') {
      this.position++;
      return { kind: 'number', text, unit: '%' };
    }
    return { kind: 'number', text, unit: this.startsIdent() ? this.name() : '' };
  }

  // After `url(`: an unquoted address. A quoted one is an ordinary function.
  url(): CssToken {
    let text = '';
    while (isSpace(this.peek())) this.position++;
    for (;;) {
      const char = this.peek();
      this.position++;
      if (char === ')' || char === '') return { kind: 'url', text };
      if (isSpace(char)) {
        while (isSpace(this.peek())) this.position++;
        if (this.peek() === ')' || this.peek() === '') continue;
        return this.badUrl();
      }
      if (char === '\\') {
        if (this.peek() === '\n') return this.badUrl();
        text += this.escape();
      } else if (char === '"' || char === "'" || char === '(') return this.badUrl();
      else text += char;
    }
  }

  badUrl(): CssToken {
    for (;;) {
      const char = this.peek();
      this.position++;
      if (char === ')' || char === '') return { kind: 'bad', text: '' };
      if (char === '\\' && this.peek() !== '') this.position++;
    }
  }

  identLike(): CssToken {
    const name = this.name();
    if (this.peek() !== '(') return { kind: 'ident', text: name };
    this.position++;
    if (name.toLowerCase() !== 'url') return { kind: 'function', text: name };
    let ahead = 0;
    while (isSpace(this.peek(ahead))) ahead++;
    const quoted = this.peek(ahead) === '"' || this.peek(ahead) === "'";
    return quoted ? { kind: 'function', text: name } : this.url();
  }

  next(): CssToken {
    const char = this.peek();
    if (char === '/' && this.peek(1) === '*') {
      const end = this.source.indexOf('*/', this.position + 2);
      this.position = end < 0 ? this.source.length : end + 2;
      return { kind: 'space', text: ' ' };
    }
    if (isSpace(char)) {
      while (isSpace(this.peek())) this.position++;
      return { kind: 'space', text: ' ' };
    }
    if (char === '"' || char === "'") {
      this.position++;
      return this.string(char);
    }
    if (this.startsNumber()) return this.number();
    if (char === '#' && (isName(this.peek(1)) || this.startsEscape(1))) {
      this.position++;
      return { kind: 'hash', text: this.name() };
    }
    // The comment wrappers of old style elements have no meaning in CSS.
    for (const wrapping of ['<!--', '-->']) {
      if (this.source.startsWith(wrapping, this.position)) {
        this.position += wrapping.length;
        return { kind: 'space', text: ' ' };
      }
    }
    if (this.startsIdent()) return this.identLike();
    if (char === '@' && this.startsIdent(1)) {
      this.position++;
      return { kind: 'at', text: this.name() };
    }
    this.position++;
    if ('{}[]():;,'.includes(char)) return { kind: char as CssToken['kind'], text: char };
    return char === '\\' ? { kind: 'bad', text: '' } : { kind: 'delim', text: char };
  }
}

/** Returns all tokens of a stylesheet or declaration list. Never fails. */
export function tokenizeCss(css: string): CssToken[] {
  const reader = new Reader(css);
  const tokens: CssToken[] = [];
  while (reader.position < reader.source.length) tokens.push(reader.next());
  return tokens;
}

function escapeCode(char: string): string {
  return `\\${(char.codePointAt(0) ?? 0).toString(16)} `;
}

/** Returns a name as CSS text; everything except ASCII letters, digits, `-` and `_` is escaped. */
export function formatName(name: string): string {
  let text = '';
  let index = 0;
  for (const char of name) {
    const leading = index === 0 || (index === 1 && name.startsWith('-'));
    const plain = /^[A-Za-z_-]$/.test(char) || (/^[0-9]$/.test(char) && !leading) || char > '\u009f';
    text += plain ? char : escapeCode(char);
    index++;
  }
  return text === '-' ? escapeCode('-') : text;
}

/**
 * Returns a string as CSS text, in double quotes; characters that could end it, or a style element,
 * are escaped.
 */
export function formatString(text: string): string {
  return `"${text.replace(/["\\<>\p{Cc}]/gu, escapeCode)}"`;
}

/**
 * Returns a token as CSS text. `bad` and `url` tokens produce nothing: the filter decides about
 * them.
 */
export function formatToken(token: CssToken): string {
  switch (token.kind) {
    case 'ident':
      return formatName(token.text);
    case 'function':
      return `${formatName(token.text)}(`;
    case 'at':
      return `@${formatName(token.text)}`;
    case 'hash':
      return `#${token.text.replace(/[^A-Za-z0-9_-]/gu, escapeCode)}`;
    case 'string':
      return formatString(token.text);
    case 'number':
      return token.text + (token.unit === '%' ? '%' : formatUnit(token.unit ?? ''));
    case 'delim':
      return token.text === '<' ? '< ' : token.text;
    case 'bad':
    case 'url':
      return '';
    default:
      return token.text;
  }
}

// "1e3" as a unit would be read as an exponent.
function formatUnit(unit: string): string {
  return /^e[0-9-]/i.test(unit)
    ? `${escapeCode(unit.charAt(0))}${unit.slice(1).replace(/[^A-Za-z0-9_-]/gu, escapeCode)}`
    : formatName(unit);
}
