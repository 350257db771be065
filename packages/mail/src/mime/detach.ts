// Detaches large files from a raw message (docs/wire-format.md#attachments), in two steps because a
// file's ID is known only after sealing: detachAttachments() finds the files and returns their
// bytes, finishDetach() writes the payload with the references. Reattaching restores the original
// message byte for byte: a file whose encoding cannot be reproduced exactly stays in place. Callers
// seal and store. See [Note: Inert references].

import { byteString, bytesOfLatin1, concatBytes, findBase64Bytes, sameBytes } from '../bytes.ts';
import { MailError } from '../errors.ts';
import { DETACH_MIN_BYTES } from '../limits.ts';
import { decodeWords } from './encoded-words.ts';
import { type FileReference, formatReferenceHeader, type OriginalForm } from './external.ts';
import { findHeaderText } from './headers.ts';
import { neutralizeReferences, restoreInert } from './inert.ts';
import { encodeForm } from './reattach.ts';
import { leafParts, type MimePart, scanStructure } from './structure.ts';

/** A file found in a message: its decoded content and the description in its headers. */
export type DetachedFile = {
  bytes: Uint8Array;
  name: string | null;
  type: string;
  disposition: string | null;
  contentId: string | null;
};

/**
 * A message prepared for detaching; pass it to {@link finishDetach} with one reference per file.
 */
export type DetachPlan = {
  readonly detached: readonly DetachedFile[];
  /** The message with foreign references made inert; offsets refer to it. */
  readonly inert: Uint8Array;
  readonly places: readonly { part: MimePart; form: OriginalForm }[];
};

const IDENTITY = new Set(['', '7bit', '8bit', 'binary']);
const ALWAYS_INLINE = new Set([
  'message/external-body',
  'message/delivery-status',
  'message/feedback-report',
  'message/disposition-notification',
]);

function isCandidate(part: MimePart): boolean {
  const { value } = part.contentType;
  if (value.startsWith('multipart/') || ALWAYS_INLINE.has(value)) return false;
  // Parts that a client shows as message text, or reads as an invitation, must stay in the message.
  if (value.startsWith('text/') || value === 'application/ics')
    return part.disposition.value === 'attachment';
  return true;
}

/**
 * Returns the form in which these decoded bytes encode to exactly `body`, or null when none does.
 */
function findForm(body: Uint8Array, encoding: string): { bytes: Uint8Array; form: OriginalForm } | null {
  if (IDENTITY.has(encoding)) {
    return { bytes: restoreInert(body), form: { encoding: 'identity', line: 0, eol: 'crlf', tail: 0 } };
  }
  if (encoding !== 'base64') return null;
  const text = byteString(body);
  const bytes = findBase64Bytes(text);
  if (!bytes) return null;
  const firstBreak = text.search(/[\r\n]/);
  const tailStart = text.trimEnd().length;
  const tailText = text.slice(tailStart);
  const form: OriginalForm = {
    encoding: 'base64',
    line: firstBreak < 0 || firstBreak >= tailStart ? 0 : firstBreak,
    eol: text.charAt(firstBreak) === '\n' ? 'lf' : 'crlf',
    tail: tailText.split('\n').length - 1,
  };
  if (form.line % 4 || form.line > 998 || form.tail > 64) return null;
  return sameBytes(encodeForm(bytes, form), body) ? { bytes, form } : null;
}

/**
 * Finds the files of a raw message whose decoded content is larger than `minBytes`. Does not change
 * the message and copies only what it must. Never fails: a message that cannot be split has no
 * files.
 */
export function detachAttachments(raw: Uint8Array, minBytes = DETACH_MIN_BYTES): DetachPlan {
  // Offsets are computed in the bytes that become the payload, so that its reader sees the same
  // parts.
  const inert = neutralizeReferences(raw);
  const { root, truncated } = scanStructure(inert);
  const detached: DetachedFile[] = [];
  const places: { part: MimePart; form: OriginalForm }[] = [];
  for (const part of truncated ? [] : leafParts(root)) {
    const encodedSize = part.bodyEnd - part.bodyStart;
    // Without its blank line, a part has no header block that could be restored verbatim before a
    // body.
    if (!isCandidate(part) || encodedSize <= minBytes || part.bodyStart === part.headersEnd) continue;
    const found = findForm(inert.subarray(part.bodyStart, part.bodyEnd), part.encoding);
    if (!found || found.bytes.length <= minBytes) continue;
    const name = part.disposition.params.get('filename') ?? part.contentType.params.get('name');
    detached.push({
      bytes: found.bytes,
      name: name ? decodeWords(name) : null,
      type: part.contentType.value,
      disposition: part.disposition.value || null,
      contentId: findHeaderText(part.fields, 'content-id'),
    });
    places.push({ part, form: found.form });
  }
  return { detached, inert, places };
}

// A message that is itself one file keeps its other fields in front, so that any reader still finds
// its subject.
function outerFields(inert: Uint8Array, part: MimePart): Uint8Array {
  if (part.parent) return new Uint8Array(0);
  return concatBytes(
    part.fields
      .filter(field => !field.key.startsWith('content-') && field.key !== 'mime-version')
      .map(field => inert.subarray(field.start, field.end)),
  );
}

/**
 * Returns the payload: the raw message with each file replaced by a reference, in the order of
 * `plan.detached`, and every reference that was already in the message made inert. Fails with
 * `bad_reference` when IDs or keys are missing or malformed.
 */
export function finishDetach(plan: DetachPlan, references: readonly FileReference[]): Uint8Array {
  const { inert } = plan;
  if (references.length !== plan.places.length) throw new MailError('bad_reference');
  const chunks: Uint8Array[] = [];
  let position = 0;
  plan.places.forEach(({ part, form }, index) => {
    const reference = references[index] as FileReference;
    const size = (plan.detached[index] as DetachedFile).bytes.length;
    chunks.push(inert.subarray(position, part.start), outerFields(inert, part));
    chunks.push(bytesOfLatin1(formatReferenceHeader(reference, size, form)));
    chunks.push(inert.subarray(part.start, part.bodyStart));
    position = part.bodyEnd;
  });
  chunks.push(inert.subarray(position));
  return concatBytes(chunks);
}
