// The sealed summary of a message, so that lists need no bodies (docs/wire-format.md#summaries):
// base64(IV12 || AES-256-GCM(message key, UTF-8 JSON, AD = "KFS1" || binding)). The JSON comes from
// the sealer of the message and is untrusted, so each field is validated and the object rebuilt.

import { concatBytes, decodeBase64, encodeBase64, requireSize } from './bytes.ts';
import { openBox, sealBox } from './gcm-box.ts';
import { BINDING_BYTES, MESSAGE_KEY_BYTES, SUMMARY_LABEL, SUMMARY_SNIPPET_CHARACTERS } from './params.ts';
import { decodeUtf8, encodeUtf8 } from './platform.ts';
import type { Primitives } from './primitives/port.ts';
import type { MessageSummary, SummaryAddress } from './wire.ts';

const LABEL = encodeUtf8(SUMMARY_LABEL);

/** Seals `summary`. Throws TypeError when it does not have the shape of a summary. */
export async function sealSummaryWith(
  primitives: Primitives,
  messageKey: Uint8Array,
  binding: Uint8Array,
  summary: MessageSummary,
): Promise<string> {
  const json = encodeUtf8(JSON.stringify(checkSummary(summary)));
  const key = await loadKey(primitives, messageKey, binding);
  try {
    return encodeBase64(await sealBox(primitives, key, json, concatBytes(LABEL, binding)));
  } finally {
    key.wipe();
  }
}

/** Opens a summary sealed by {@link sealSummaryWith} for exactly this body. Throws otherwise. */
export async function openSummaryWith(
  primitives: Primitives,
  messageKey: Uint8Array,
  binding: Uint8Array,
  sealed: string,
): Promise<MessageSummary> {
  const box = decodeBase64(sealed);
  const key = await loadKey(primitives, messageKey, binding);
  try {
    return checkSummary(JSON.parse(decodeUtf8(await openBox(key, box, concatBytes(LABEL, binding)))));
  } finally {
    key.wipe();
  }
}

function loadKey(primitives: Primitives, messageKey: Uint8Array, binding: Uint8Array) {
  requireSize(messageKey, MESSAGE_KEY_BYTES, 'Message key');
  requireSize(binding, BINDING_BYTES, 'Binding');
  return primitives.aesGcm(messageKey);
}

function checkSummary(value: unknown): MessageSummary {
  const { subject, from, to, cc, date, snippet, attachments, invite } = asRecord(value);
  if (typeof attachments !== 'number' || !Number.isSafeInteger(attachments) || attachments < 0)
    throw new TypeError('Summary: attachments');
  if (typeof invite !== 'boolean') throw new TypeError('Summary: invite');
  const time = asText(date, 'date');
  if (Number.isNaN(Date.parse(time))) throw new TypeError('Summary: date');
  return {
    subject: asText(subject, 'subject'),
    from: asAddress(from),
    to: asAddresses(to),
    cc: asAddresses(cc),
    date: time,
    snippet: cutText(asText(snippet, 'snippet')),
    attachments,
    invite,
  };
}

function asRecord(value: unknown): Record<string, unknown> {
  if (typeof value !== 'object' || value === null) throw new TypeError('Summary: not an object');
  return value as Record<string, unknown>;
}

function asText(value: unknown, field: string): string {
  if (typeof value !== 'string') throw new TypeError(`Summary: ${field}`);
  return value;
}

function asAddress(value: unknown): SummaryAddress {
  const { name, address } = asRecord(value);
  return { name: asText(name, 'name'), address: asText(address, 'address') };
}

function asAddresses(value: unknown): SummaryAddress[] {
  if (!Array.isArray(value)) throw new TypeError('Summary: address list');
  return value.map(asAddress);
}

// Counts code points, so that no emoji is cut in half; scans only as far as needed.
function cutText(text: string): string {
  if (text.length <= SUMMARY_SNIPPET_CHARACTERS) return text;
  return [...text.slice(0, SUMMARY_SNIPPET_CHARACTERS * 2)].slice(0, SUMMARY_SNIPPET_CHARACTERS).join('');
}
