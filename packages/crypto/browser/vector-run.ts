// Runs every known-answer test of src/vectors against the package and lists the failures.
// Independent of test runner and host, so the same checks run in Node (src/vectors.test.ts) and in
// a Chromium worker (vectors.test.ts here).

import {
  containerLayout,
  openChunk,
  openWholeAttachment,
  readAttachmentHeader,
  sealWholeAttachment,
} from '../src/attachment.ts';
import { decodeBase64, encodeBase64, encodeHex } from '../src/bytes.ts';
import { CryptoError } from '../src/errors.ts';
import { fingerprintOf } from '../src/fingerprint.ts';
import { deriveLoginHash } from '../src/login.ts';
import { bindingOf, openSummary, openWithMessageKey, sealMessage } from '../src/message.ts';
import { createOpener, type Opener, type ReceivedMessage } from '../src/opener.ts';
import { getPrimitives } from '../src/primitives/select.ts';
import { deriveVaultKey, type Identity, lockVault, type MainKey, unlockVault } from '../src/vault.ts';

/** Reads one file of src/vectors. */
export type VectorFiles = {
  json(name: string): Promise<unknown>;
  bytes(name: string): Promise<Uint8Array>;
};

/** Number of checked statements, and those that failed. */
export type VectorResult = {
  readonly checked: number;
  readonly failures: readonly string[];
};

type Reader = {
  readonly identity: Identity;
  readonly opener: Opener;
};

type IdentityVector = {
  readonly email: string;
  readonly password: string;
  readonly login_hash: string;
  readonly vault_key: string;
  readonly mlkem_seed: string;
  readonly mlkem_public: string;
  readonly dh_private: string;
  readonly dh_public: string;
  readonly sent_key: string;
  readonly fingerprint: string;
  readonly main_key: MainKey;
};

type OpenVector = {
  readonly name: string;
  readonly reader: string;
  readonly email: ReceivedMessage & { readonly body: string; readonly summary?: string };
  readonly summary?: unknown;
  readonly message_key: string;
  readonly payload: string;
};

type RefuseVector = {
  readonly name: string;
  readonly reader: string;
  readonly email: ReceivedMessage;
  readonly message: string;
};

type AttachmentVector = {
  readonly file: string;
  readonly message_key: string;
  readonly file_key: string;
  readonly meta: { readonly name: string; readonly type: string; readonly size: number };
  readonly plain_sha256: string;
  readonly sealed_size: number;
};

/**
 * Runs all checks. An exception in one case counts as a failure of that case and does not stop the
 * run.
 */
export async function runVectors(files: VectorFiles): Promise<VectorResult> {
  const run = new Run();
  const { identities } = (await files.json('identities.json')) as { identities: IdentityVector[] };
  const readers = new Map<string, Reader>();
  for (const vector of identities)
    await run.case(vector.email, async () => readers.set(vector.email, await checkIdentity(run, vector)));
  const open = (await files.json('open.json')) as { cases: OpenVector[] };
  for (const vector of open.cases) await run.case(vector.name, () => checkOpen(run, vector, readers));
  const refuse = (await files.json('refuse.json')) as { cases: RefuseVector[] };
  for (const vector of refuse.cases) await run.case(vector.name, () => checkRefuse(run, vector, readers));
  const attachments = (await files.json('attachments.json')) as { cases: AttachmentVector[] };
  for (const vector of attachments.cases)
    await run.case(vector.file, async () => checkAttachment(run, vector, await files.bytes(vector.file)));
  return { checked: run.checked, failures: run.failures };
}

class Run {
  checked = 0;
  readonly failures: string[] = [];
  #name = '';

  async case(name: string, work: () => Promise<unknown>): Promise<void> {
    this.#name = name;
    try {
      await work();
    } catch (error) {
      this.failures.push(`${name}: ${String(error)}`);
    }
  }

  same(what: string, actual: unknown, expected: unknown): void {
    this.checked++;
    const [left, right] = [JSON.stringify(actual), JSON.stringify(expected)];
    if (left !== right) this.failures.push(`${this.#name}: ${what}: ${left?.slice(0, 80)}`);
  }

  async refuses(what: string, work: () => Promise<unknown>, text: string): Promise<void> {
    this.checked++;
    try {
      await work();
      this.failures.push(`${this.#name}: ${what}: was not refused`);
    } catch (error) {
      const isExact = error instanceof CryptoError && error.message === text;
      if (!isExact) this.failures.push(`${this.#name}: ${what}: ${String(error)}`);
    }
  }
}

async function checkIdentity(run: Run, vector: IdentityVector): Promise<Reader> {
  run.same('login hash', await deriveLoginHash(vector.password, vector.email), vector.login_hash);
  const vaultKey = await deriveVaultKey(vector.password, vector.email);
  run.same('vault key', encodeBase64(vaultKey), vector.vault_key);
  const identity = await unlockVault(vaultKey, vector.main_key);
  run.same('ML-KEM seed', encodeBase64(identity.mlkem_private), vector.mlkem_seed);
  run.same('ML-KEM public', encodeBase64(identity.mlkem_public), vector.mlkem_public);
  run.same('X25519 private', encodeBase64(identity.dh_private), vector.dh_private);
  run.same('X25519 public', encodeBase64(identity.dh_public), vector.dh_public);
  run.same('sent_key', encodeBase64(identity.sent_key), vector.sent_key);
  run.same('fingerprint', await fingerprintOf(identity), vector.fingerprint);
  const again = await unlockVault(vaultKey, await lockVault(vaultKey, identity));
  run.same('locked again', again.key_id, identity.key_id);
  return { identity, opener: await createOpener(identity) };
}

async function checkOpen(run: Run, vector: OpenVector, readers: ReadonlyMap<string, Reader>): Promise<void> {
  const reader = getReader(readers, vector.reader);
  const opened = await reader.opener.open(vector.email);
  run.same('payload', encodeBase64(opened.payload), vector.payload);
  run.same('message key', encodeBase64(opened.messageKey), vector.message_key);
  const binding = await bindingOf(vector.email.body);
  run.same('binding', encodeBase64(opened.binding), encodeBase64(binding));
  run.same(
    'message key alone',
    encodeBase64(await reader.opener.openKey(vector.email, binding)),
    vector.message_key,
  );
  const withKey = await openWithMessageKey(vector.email.body, opened.messageKey, { binding });
  run.same('with message key', encodeBase64(withKey), vector.payload);
  if (vector.email.summary !== undefined) {
    const { summary } = vector.email;
    const row = await reader.opener.openSummary({ ...vector.email, summary, binding });
    run.same('summary row', sorted(row.summary), sorted(vector.summary));
    run.same(
      'summary',
      sorted(await openSummary(opened.messageKey, binding, summary)),
      sorted(vector.summary),
    );
  }
  await checkSealedAgain(run, reader, opened.payload, opened.messageKey);
}

async function checkSealedAgain(
  run: Run,
  { identity, opener }: Reader,
  payload: Uint8Array,
  messageKey: Uint8Array,
): Promise<void> {
  const sealed = await sealMessage({ payload, messageKey, recipients: [{ email: 'r@x.test', ...identity }] });
  const [entry] = sealed.recipients;
  if (entry === undefined || !('mlkem_ciphertext' in entry)) throw new Error('No keyed entry');
  const opened = await opener.open({
    body: sealed.message_encrypted,
    ciphertext: entry.mlkem_ciphertext,
    encrypted_key: entry.second_stage_key_encrypted,
    salt: entry.salt,
    dh_public: sealed.public_key,
  });
  run.same('sealed again', encodeBase64(opened.payload), encodeBase64(payload));
}

async function checkRefuse(
  run: Run,
  vector: RefuseVector,
  readers: ReadonlyMap<string, Reader>,
): Promise<void> {
  const { opener } = getReader(readers, vector.reader);
  await run.refuses('open', () => opener.open(vector.email), vector.message);
}

async function checkAttachment(run: Run, vector: AttachmentVector, file: Uint8Array): Promise<void> {
  const text = 'Failed to decrypt message';
  const header = await readAttachmentHeader(decodeBase64(vector.message_key), file);
  run.same('meta', header.meta, vector.meta);
  run.same('file key', encodeBase64(header.fileKey), vector.file_key);
  run.same('sealed size', file.length, vector.sealed_size);
  const plain = await openWholeAttachment(header.fileKey, file);
  const { sha256 } = await getPrimitives();
  run.same('plain', encodeHex(await sha256(plain)), vector.plain_sha256);
  const layout = containerLayout(header.headerSizeBytes, file.length);
  run.same('plain size', layout.plainSizeBytes, vector.meta.size);
  for (let index = 0; index < layout.chunkCount; index++) {
    const { startByte, endByte, isLast } = layout.chunk(index);
    const chunk = file.subarray(startByte, endByte);
    const part = await openChunk(header.fileKey, index, isLast, chunk);
    run.same(`chunk ${index}`, part[0], plain[index * 1_048_576]);
    await run.refuses(
      `chunk ${index} as another`,
      () => openChunk(header.fileKey, index + 1, isLast, chunk),
      text,
    );
    await run.refuses(
      `chunk ${index} end flag`,
      () => openChunk(header.fileKey, index, !isLast, chunk),
      text,
    );
    const cut = file.subarray(0, startByte);
    await run.refuses(`cut before chunk ${index}`, () => openWholeAttachment(header.fileKey, cut), text);
  }
  await run.refuses('appended', () => openWholeAttachment(header.fileKey, append(file)), text);
  if (layout.chunkCount > 1)
    await run.refuses(
      'swapped',
      () => openWholeAttachment(header.fileKey, swap(file, header.headerSizeBytes)),
      text,
    );
  const again = await sealWholeAttachment({
    messageKey: decodeBase64(vector.message_key),
    fileKey: header.fileKey,
    meta: vector.meta,
    bytes: plain,
  });
  run.same('sealed again', again.length, vector.sealed_size);
  const start = header.headerSizeBytes;
  run.same('same chunks', await digest(again.subarray(start)), await digest(file.subarray(start)));
}

async function digest(bytes: Uint8Array): Promise<string> {
  return encodeHex(await (await getPrimitives()).sha256(bytes));
}

function append(file: Uint8Array): Uint8Array {
  const longer = new Uint8Array(file.length + 1);
  longer.set(file);
  return longer;
}

function swap(file: Uint8Array, headerSizeBytes: number): Uint8Array {
  const size = 1_048_576 + 16;
  const swapped = file.slice();
  swapped.copyWithin(headerSizeBytes, headerSizeBytes + size, headerSizeBytes + 2 * size);
  swapped.set(file.subarray(headerSizeBytes, headerSizeBytes + size), headerSizeBytes + size);
  return swapped;
}

function getReader(readers: ReadonlyMap<string, Reader>, email: string): Reader {
  const reader = readers.get(email);
  if (reader === undefined) throw new Error('No such reader');
  return reader;
}

// The format does not define the field order of JSON.
function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
  return Object.fromEntries(entries.map(([key, inner]) => [key, sorted(inner)]));
}
