// Small items that users store on the server for themselves (templates, settings, the people they
// wrote to), sealed under a key derived from sent_key. Kind and id are bound to the content, so a
// server cannot substitute one record for another; it can only return an old version.
// docs/crypto.md, Record.

import { concatBytes, decodeBase64, encodeBase64, requireSize } from './bytes.ts';
import { failAs } from './errors.ts';
import { openBox, sealBox } from './gcm-box.ts';
import { HIDDEN_NAME_LABEL, RECORD_INFO, RECORD_LABEL, SENT_KEY_BYTES } from './params.ts';
import { encodeUtf8 } from './platform.ts';
import type { GcmKey, Primitives } from './primitives/port.ts';
import { getPrimitives } from './primitives/select.ts';

const NO_SALT = new Uint8Array(0);

/**
 * Name of a record: kind and id are readable by the server, and neither may contain a zero byte.
 */
export type RecordName = {
  readonly kind: string;
  readonly id: string;
};

/** Seals a record's content. Returns base64 of IV || AES-256-GCM. */
export async function sealRecord(
  sentKey: Uint8Array,
  name: RecordName,
  plaintext: Uint8Array,
): Promise<string> {
  return failAs('record_seal_failed', () =>
    withRecordKey(sentKey, async (primitives, key) =>
      encodeBase64(await sealBox(primitives, key, plaintext, associatedData(name))),
    ),
  );
}

/**
 * Opens a record sealed by {@link sealRecord} under the same name. Throws 'Failed to open stored
 * data' otherwise.
 */
export async function openRecord(
  sentKey: Uint8Array,
  name: RecordName,
  sealed: string,
): Promise<Uint8Array<ArrayBuffer>> {
  return failAs('local_open_failed', () =>
    withRecordKey(sentKey, (_primitives, key) => openBox(key, decodeBase64(sealed), associatedData(name))),
  );
}

/**
 * Returns a name for a text that reveals nothing about it without the key, base64 of 32 bytes:
 * SHA-256("KFN1" || sent_key || SHA-256(text)). Data stored on a device uses such names, because
 * the texts are queries about mail.
 */
export async function hideName(sentKey: Uint8Array, text: string): Promise<string> {
  requireSize(sentKey, SENT_KEY_BYTES, 'sent_key');
  const { sha256 } = await getPrimitives();
  const keyed = concatBytes(encodeUtf8(HIDDEN_NAME_LABEL), sentKey, await sha256(encodeUtf8(text)));
  return encodeBase64(await sha256(keyed).finally(() => keyed.fill(0)));
}

function associatedData({ kind, id }: RecordName): Uint8Array {
  if (`${kind}${id}`.includes('\0')) throw new RangeError('A record name holds a zero byte');
  return encodeUtf8(`${RECORD_LABEL}${kind}\0${id}`);
}

async function withRecordKey<T>(
  sentKey: Uint8Array,
  work: (primitives: Primitives, key: GcmKey) => Promise<T>,
): Promise<T> {
  requireSize(sentKey, SENT_KEY_BYTES, 'sent_key');
  const primitives = await getPrimitives();
  const material = await primitives.hkdfSha256(sentKey);
  const key = await material.gcmKey(NO_SALT, encodeUtf8(RECORD_INFO)).finally(() => material.wipe());
  try {
    return await work(primitives, key);
  } finally {
    key.wipe();
  }
}
