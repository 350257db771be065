// Converts a rich text from the editor's representation into the two forms that a message carries:
// HTML, and plain text. Pure: works on the editor's JSON without a DOM. Writes only what the schema
// defines.
import { type TextCell, tableLines } from './table-text.ts';

export type RichMark = { readonly type: string; readonly attrs?: Readonly<Record<string, unknown>> };

export type RichNode = {
  readonly type: string;
  readonly attrs?: Readonly<Record<string, unknown>> | undefined;
  readonly content?: readonly RichNode[] | undefined;
  readonly marks?: readonly RichMark[] | undefined;
  readonly text?: string | undefined;
};

/** Class of the block that holds a signature, in the editor and in the message. */
export const signatureClass = 'keyfold_signature';

/** Class of the block that holds a forwarded message. */
export const forwardClass = 'keyfold_forward';

const entities: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };

/** Escapes text for HTML. */
export const escapeHtml = (text: string): string => text.replace(/[&<>"]/g, char => entities[char] ?? char);

const textOf = (value: unknown): string => (typeof value === 'string' ? value : '');

/** Returns the allowed target of a link (web or mail), or null for anything else. */
export function findLinkTarget(typed: string): string | null {
  const text = typed.trim();
  if (text === '') return null;
  const isAddress = /^[^\s@/:]+@[^\s@/:]+\.[^\s@/:]+$/.test(text);
  const hasScheme = /^[a-z][a-z0-9+.-]*:(?!\d)/i.test(text);
  const full = isAddress ? `mailto:${text}` : hasScheme ? text : `https://${text.replace(/^\/+/, '')}`;
  if (!/^(?:https?:\/\/|mailto:)/i.test(full)) return null;
  try {
    const url = new URL(full);
    return url.protocol === 'mailto:' || url.hostname.includes('.') || url.hostname === 'localhost'
      ? url.href
      : null;
  } catch {
    return null;
  }
}

const markTags: Readonly<Record<string, string>> = {
  bold: 'strong',
  italic: 'em',
  underline: 'u',
  strike: 's',
  code: 'code',
};

function wrapMarks(html: string, marks: readonly RichMark[]): string {
  return marks.reduceRight((inner, { type, attrs }) => {
    if (type === 'link') {
      const target = findLinkTarget(textOf(attrs?.href));
      return target === null ? inner : `<a href="${escapeHtml(target)}">${inner}</a>`;
    }
    const tag = markTags[type];
    return tag === undefined ? inner : `<${tag}>${inner}</${tag}>`;
  }, html);
}

const quoteStyle = 'margin:0 0 0 .8ex;border-left:2px solid silver;padding-left:1ex';

function writeInline(node: RichNode): string {
  if (node.type === 'hardBreak') return '<br>';
  if (node.type === 'image') {
    const width = Number(node.attrs?.width);
    const size = Number.isInteger(width) && width > 0 ? ` width="${width}"` : '';
    const source = escapeHtml(`cid:${textOf(node.attrs?.cid)}`);
    return `<img src="${source}" alt="${escapeHtml(textOf(node.attrs?.alt))}"${size} style="max-width:100%">`;
  }
  return wrapMarks(escapeHtml(node.text ?? '').replace(/ {2}/g, ' &nbsp;'), node.marks ?? []);
}

const cellStyle = 'border:1px solid silver;padding:3px 7px;vertical-align:top';

const spanOf = (node: RichNode, name: 'colspan' | 'rowspan'): number =>
  Math.max(1, Math.trunc(Number(node.attrs?.[name])) || 1);

const alignOf = (node: RichNode): string =>
  /^(?:left|center|right)$/.exec(textOf(node.attrs?.align))?.[0] ?? '';

function writeCell(node: RichNode): string {
  const tag = node.type === 'tableHeader' ? 'th' : 'td';
  const [colspan, rowspan, align] = [spanOf(node, 'colspan'), spanOf(node, 'rowspan'), alignOf(node)];
  const spans = `${colspan > 1 ? ` colspan="${colspan}"` : ''}${rowspan > 1 ? ` rowspan="${rowspan}"` : ''}`;
  const [only, ...others] = node.content ?? [];
  const isLine = only?.type === 'paragraph' && others.length === 0;
  const inside = isLine ? (only.content ?? []).map(writeInline).join('') || '<br>' : writeAll(node.content);
  return `<${tag}${spans}${align === '' ? '' : ` align="${align}"`} dir="auto" style="${cellStyle}">${inside}</${tag}>`;
}

/**
 * Cache of written rows: a keystroke changes one row of a long table, and the others remain the
 * same objects.
 */
const writtenRows = new WeakMap<RichNode, string>();

function writeRow(node: RichNode): string {
  const known = writtenRows.get(node);
  if (known !== undefined) return known;
  const written = `<tr>${(node.content ?? []).map(writeCell).join('')}</tr>`;
  writtenRows.set(node, written);
  return written;
}

const writeAll = (nodes: readonly RichNode[] | undefined): string => (nodes ?? []).map(writeHtml).join('');

/**
 * Writes a node as HTML for mail programs. Styles are inline, because few mail programs support
 * style sheets.
 */
export function writeHtml(node: RichNode): string {
  const inline = () => (node.content ?? []).map(writeInline).join('') || '<br>';
  switch (node.type) {
    case 'paragraph':
      return `<p dir="auto" style="margin:0">${inline()}</p>`;
    case 'heading': {
      const level = Math.min(3, Math.max(1, Number(node.attrs?.level) || 1));
      return `<h${level} dir="auto" style="margin:.5em 0 .25em">${inline()}</h${level}>`;
    }
    case 'bulletList':
      return `<ul>${writeAll(node.content)}</ul>`;
    case 'orderedList': {
      const start = Number(node.attrs?.start);
      return `<ol${Number.isInteger(start) && start !== 1 ? ` start="${start}"` : ''}>${writeAll(node.content)}</ol>`;
    }
    case 'listItem':
      return `<li dir="auto">${writeAll(node.content)}</li>`;
    case 'blockquote':
      return `<blockquote${node.attrs?.cite === true ? ' type="cite"' : ''} style="${quoteStyle}">${writeAll(node.content)}</blockquote>`;
    case 'codeBlock':
      return `<pre style="white-space:pre-wrap"><code>${escapeHtml(plainOf(node))}</code></pre>`;
    case 'horizontalRule':
      return '<hr>';
    case 'table':
      return `<table border="1" cellspacing="0" style="border-collapse:collapse">${(node.content ?? []).map(writeRow).join('')}</table>`;
    case 'signature':
      return `<div class="${signatureClass}">${writeAll(node.content)}</div>`;
    case 'forwarded':
      return `<div class="${forwardClass}">${writeAll(node.content)}</div>`;
    case 'doc':
      return writeAll(node.content);
    default:
      return writeInline(node);
  }
}

const plainOf = (node: RichNode): string => (node.content ?? []).map(inlineText).join('');

function inlineText(node: RichNode): string {
  if (node.type === 'hardBreak') return '\n';
  if (node.type === 'image') return `[${textOf(node.attrs?.alt) || 'image'}]`;
  const text = node.text ?? '';
  const link = node.marks?.find(mark => mark.type === 'link');
  const target = link === undefined ? null : findLinkTarget(textOf(link.attrs?.href));
  if (target === null) return text;
  const bare = (one: string) => one.replace(/^(?:https?:\/\/|mailto:)/i, '').replace(/\/$/, '');
  return bare(target) === bare(text.trim()) ? text : `${text} <${target}>`;
}

const prefixed = (lines: readonly string[], first: string, rest: string): string[] =>
  lines.map((line, index) => `${index === 0 ? first : rest}${line}`);

const textRows = new WeakMap<RichNode, readonly TextCell[]>();

function textRow(node: RichNode): readonly TextCell[] {
  const known = textRows.get(node);
  if (known !== undefined) return known;
  const cells = (node.content ?? []).map(cell => ({
    text: (cell.content ?? []).flatMap(textLines).join(' ').replace(/\s+/g, ' ').trim(),
    colspan: spanOf(cell, 'colspan'),
    rowspan: spanOf(cell, 'rowspan'),
    isRight: alignOf(cell) === 'right',
  }));
  textRows.set(node, cells);
  return cells;
}

function textLines(node: RichNode): string[] {
  const inner = (): string[] => (node.content ?? []).flatMap(textLines);
  switch (node.type) {
    case 'doc':
    case 'forwarded':
      return inner();
    case 'bulletList':
      return (node.content ?? []).flatMap(item => prefixed(textLines(item), '- ', '  '));
    case 'orderedList': {
      const start = Number(node.attrs?.start) || 1;
      return (node.content ?? []).flatMap((item, index) =>
        prefixed(textLines(item), `${start + index}. `, '   '),
      );
    }
    case 'listItem':
      return inner();
    case 'blockquote':
      return inner().map(line => (line.startsWith('>') ? `>${line}` : line === '' ? '>' : `> ${line}`));
    case 'codeBlock':
      return plainOf(node).split('\n');
    case 'horizontalRule':
      return ['----------'];
    case 'table':
      return tableLines((node.content ?? []).map(textRow));
    case 'signature':
      return ['-- ', ...inner()];
    default:
      return plainOf(node).split('\n');
  }
}

/** Writes a document as plain text, one line per paragraph. */
export const writeText = (doc: RichNode): string => textLines(doc).join('\n').replace(/\n+$/, '');

const plainTypes: ReadonlySet<string> = new Set([
  'doc',
  'paragraph',
  'text',
  'hardBreak',
  'signature',
  'forwarded',
]);

/** Returns whether plain text would lose something. */
export function hasFormatting(node: RichNode): boolean {
  if (!plainTypes.has(node.type) || (node.marks?.length ?? 0) > 0) return true;
  return (node.content ?? []).some(hasFormatting);
}

/** Converts plain text to the HTML of a message: one paragraph per line. */
export const htmlOfText = (text: string): string =>
  text
    .split('\n')
    .map(line => `<p>${escapeHtml(line).replace(/ {2}/g, ' &nbsp;') || '<br>'}</p>`)
    .join('');
