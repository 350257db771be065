// Messages attached to other messages: .eml, Outlook's .msg, and winmail.dat (TNEF), recognized by
// their first bytes. Runs in workers. Limits depth, number and size; the parsers themselves limit
// everything inside a file.
import { joinHtmlParts } from '@keyfold/mail/mime/html-parts';
import { htmlToText } from '@keyfold/mail/mime/html-text';
import { type ParsedMessage, parseMessage } from '@keyfold/mail/mime/parse';
import { loadAgain } from '../../lib/load-again.ts';
import {
  type AroundEnvelope,
  aroundOf,
  type FromEnvelope,
  findEnvelopes,
  withEnvelope,
} from './envelopes.ts';

/** Reason why a file was not opened as a message. */
export type ContainerReason = 'not_a_message' | 'too_large' | 'damaged';

export class ContainerError extends Error {
  readonly reason: ContainerReason;

  constructor(reason: ContainerReason, cause?: unknown) {
    super(reason, { cause });
    this.reason = reason;
  }
}

/** Larger files can only be downloaded. */
const CONTAINER_MAX_BYTES = 41_943_040;
/** Header fields of which every message has at least one. */
const messageFields = new Set(
  'from to cc subject date received message-id return-path delivered-to mime-version content-type'.split(' '),
);

const beginsWith = (bytes: Uint8Array, start: readonly number[]): boolean =>
  start.every((byte, index) => bytes[index] === byte);
const isTnef = (bytes: Uint8Array): boolean => beginsWith(bytes, [0x78, 0x9f, 0x3e, 0x22]);
const isCompound = (bytes: Uint8Array): boolean => beginsWith(bytes, [0xd0, 0xcf, 0x11, 0xe0]);

async function openRfc822(bytes: Uint8Array): Promise<ParsedMessage> {
  const message = await parseMessage(bytes, { isPayload: false });
  if (!message.headers.some(({ key }) => messageFields.has(key))) throw new ContainerError('not_a_message');
  return message;
}

async function openByKind(bytes: Uint8Array): Promise<ParsedMessage> {
  if (isTnef(bytes)) return (await loadAgain(() => import('@keyfold/import/tnef'))).openTnef(bytes);
  if (isCompound(bytes)) return (await loadAgain(() => import('@keyfold/import/msg'))).openMsg(bytes);
  return openRfc822(bytes);
}

function reasonOf(error: unknown): ContainerReason {
  if (error instanceof ContainerError) return error.reason;
  const code = (error as { code?: unknown } | null)?.code;
  if (code === 'too_large') return 'too_large';
  return code === 'not_this_format' || code === 'unsupported' ? 'not_a_message' : 'damaged';
}

/** Opens a file as a message and unpacks the Outlook envelopes in it. Throws ContainerError. */
export async function openContainer(bytes: Uint8Array): Promise<ParsedMessage> {
  if (bytes.length > CONTAINER_MAX_BYTES) throw new ContainerError('too_large');
  try {
    return await unpackAll(await openByKind(bytes));
  } catch (error) {
    throw new ContainerError(reasonOf(error), error);
  }
}

/** Keeps only letters and digits, to compare words regardless of wrapping and markup. */
const wordsOf = (text: string): string => text.toLowerCase().replace(/[^\p{L}\p{N}]+/gu, '');

/** Maximum number of characters of a body that are compared. */
const COMPARED_MAX = 200_000;

/**
 * Returns whether a text contains a part, in linear time; the time of `includes` can grow with the
 * product of both lengths.
 */
function holds(text: string, part: string): boolean {
  /** Failure table: length of the longest prefix of the part that ends before each position. */
  const again = new Int32Array(part.length + 1);
  again[0] = -1;
  for (let at = 0, same = -1; at < part.length; again[++at] = ++same)
    while (same >= 0 && part.charCodeAt(same) !== part.charCodeAt(at)) same = again[same] ?? -1;
  let found = 0;
  for (let at = 0; at < text.length && found < part.length; at++, found++)
    while (found >= 0 && part.charCodeAt(found) !== text.charCodeAt(at)) found = again[found] ?? -1;
  return found === part.length;
}

/**
 * Joins the bodies of a message and of an envelope in it: one of them when both say the same,
 * otherwise both.
 */
function joinBodies(outer: AroundEnvelope, inner: ParsedMessage): Pick<FromEnvelope, 'html' | 'text'> {
  const innerText = inner.html === null ? (inner.text ?? '') : htmlToText(inner.html);
  const innerWords = wordsOf(innerText.slice(0, COMPARED_MAX));
  const outerText = outer.html === null ? (outer.text ?? '') : htmlToText(outer.html);
  const outerWords = wordsOf(outerText.slice(0, COMPARED_MAX));
  const isInnerNew = innerWords !== '' && !holds(outerWords, innerWords);
  const isOuterNew = outerWords !== '' && !holds(innerWords, outerWords);
  // The same words, with formatting.
  if (outer.html === null && inner.html !== null && !isOuterNew && innerWords !== '')
    return { html: inner.html, text: outer.text ?? inner.text };
  if (!isInnerNew) return { html: outer.html, text: outer.text };
  if (!isOuterNew) return { html: inner.html ?? outer.html, text: inner.text ?? innerText };
  const text = `${outer.text ?? outerText}\n\n${inner.text ?? innerText}`;
  if (outer.html === null && inner.html === null) return { html: null, text };
  const asHtml = (html: string | null, plain: string) =>
    html ?? `<pre>${plain.replaceAll('&', '&amp;').replaceAll('<', '&lt;')}</pre>`;
  return { html: joinHtmlParts([asHtml(outer.html, outerText), asHtml(inner.html, innerText)]), text };
}

/** Unpacks an envelope for the message around it. Throws ContainerError. */
export async function unpackEnvelope(bytes: Uint8Array, outer: AroundEnvelope): Promise<FromEnvelope> {
  if (bytes.length > CONTAINER_MAX_BYTES) throw new ContainerError('too_large');
  try {
    const { openTnef } = await loadAgain(() => import('@keyfold/import/tnef'));
    const inner = await openTnef(bytes);
    const known = new Set(outer.files.map(([name, size]) => `${size} ${name}`));
    const files = inner.attachments.filter(
      ({ filename, content }) => !known.has(`${content.length} ${filename}`),
    );
    return { ...joinBodies(outer, inner), files };
  } catch (error) {
    throw new ContainerError(reasonOf(error), error);
  }
}

/** Unpacks the envelopes whose bytes are present; an unreadable envelope stays an attachment. */
async function unpackAll(message: ParsedMessage): Promise<ParsedMessage> {
  let opened = message;
  for (const index of findEnvelopes(message)) {
    const content = message.attachments[index]?.content;
    if (content === undefined || content.length === 0) continue;
    const unpacked = await unpackEnvelope(content, aroundOf(opened)).catch(() => null);
    if (unpacked !== null) opened = withEnvelope(opened, index, unpacked);
  }
  return opened;
}
