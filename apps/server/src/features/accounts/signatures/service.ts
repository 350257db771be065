/**
 * Signatures (docs/spec-map.md 3.34, 6.09, 7.68; docs/interpretations.md#92): sanitized on input,
 * sealed under the server's key, with at most one default. They are sent to external recipients in
 * the clear, so they are not sealed for their owner alone.
 */
import { randomUUIDv7 } from 'node:crypto';
import type { api, InputOf, Signature } from '@keyfold/contract';
import { AppError } from '@keyfold/contract/errors';
import { SIGNATURE_HTML_MAX_CHARACTERS } from '@keyfold/contract/limits';
import { rebuildHtml } from '@keyfold/mail/rebuild-html';
import { z } from 'zod';
import { SIGNATURES_MAX } from '../../../base/limits.ts';
import type { MasterKey } from '../../../base/master-key.ts';
import type { Deps } from '../../../context/deps.ts';
import type { Db, Trx } from '../../../db/pool.ts';
import { isUuid } from '../../../db/uuid.ts';
import { lockMailboxes } from '../../mailbox/messages/index.ts';
import {
  clearDefault,
  countSignatures,
  deleteSignature,
  findSignatures,
  insertSignature,
  isForeign,
  updateSignature,
} from './store.ts';

type SignatureInput = InputOf<typeof api.signatures.create>;
type SignatureDeps = Pick<Deps, 'db' | 'masterKey'>;

const PURPOSE = 'signature';
const contextOf = (userId: string, id: string): string => `${userId} ${id}`;

const storedContent = z.object({ name: z.string(), html_content: z.string(), plain_text: z.string() });
type Content = z.infer<typeof storedContent>;

const seal = (masterKey: MasterKey, userId: string, id: string, content: Content): Buffer =>
  masterKey.seal(PURPOSE, contextOf(userId, id), Buffer.from(JSON.stringify(content)));

const open = (masterKey: MasterKey, userId: string, id: string, sealed: Uint8Array): Content =>
  storedContent.parse(JSON.parse(masterKey.open(PURPOSE, contextOf(userId, id), sealed).toString('utf8')));

/**
 * Returns the sanitized content of an input. Throws malformed when sanitizing makes it longer than
 * the limit.
 */
function clean({ name, html_content, plain_text }: SignatureInput): Content {
  const html = rebuildHtml(html_content);
  if (html.length > SIGNATURE_HTML_MAX_CHARACTERS)
    throw new AppError('malformed', { problems: [{ path: 'html_content', message: 'Is too long' }] });
  return { name, html_content: html, plain_text: plain_text.replaceAll('\0', '') };
}

/** Returns all signatures of a user by name. */
export const listSignatures = async (
  { db, masterKey }: SignatureDeps,
  userId: string,
): Promise<Signature[]> =>
  (await findSignatures(db, userId))
    .map(row => ({
      id: row.id,
      ...open(masterKey, userId, row.id, row.content_sealed),
      is_default: row.is_default,
    }))
    .sort((a, b) => a.name.localeCompare(b.name, 'en'));

/** Creates a signature. Throws limit_reached, malformed. */
export function createSignature(
  { db, masterKey }: SignatureDeps,
  userId: string,
  input: SignatureInput,
): Promise<Signature> {
  const content = clean(input);
  const id = randomUUIDv7();
  return db.transaction().execute(async trx => {
    // The mailbox's lock serializes requests of one user: two at once must not both become the
    // default or together exceed the limit.
    await lockMailboxes(trx, [userId]);
    if ((await countSignatures(trx, userId)) >= SIGNATURES_MAX) throw new AppError('limit_reached');
    if (input.is_default) await clearDefault(trx, userId);
    await insertSignature(trx, {
      user_id: userId,
      id,
      content_sealed: seal(masterKey, userId, id, content),
      is_default: input.is_default,
    });
    return { id, ...content, is_default: input.is_default };
  });
}

/** Replaces a signature. Throws not_found, malformed. */
export function changeSignature(
  { db, masterKey }: SignatureDeps,
  userId: string,
  id: string,
  input: SignatureInput,
): Promise<Signature> {
  const content = clean(input);
  return db.transaction().execute(async trx => {
    if (!isUuid(id)) throw new AppError('not_found');
    await lockMailboxes(trx, [userId]);
    if (input.is_default) await clearDefault(trx, userId);
    const isThere = await updateSignature(trx, {
      user_id: userId,
      id,
      content_sealed: seal(masterKey, userId, id, content),
      is_default: input.is_default,
    });
    if (!isThere) throw new AppError('not_found');
    return { id, ...content, is_default: input.is_default };
  });
}

/** Deletes a signature. Throws not_found. */
export async function removeSignature({ db }: SignatureDeps, userId: string, id: string): Promise<void> {
  if (!isUuid(id) || !(await deleteSignature(db, userId, id))) throw new AppError('not_found');
}

/**
 * Throws not_found when a message names another user's signature. A deleted signature does not
 * block the message: it may have been removed on another device, and its text is already in the
 * message.
 */
export async function refuseForeignSignature(
  db: Db | Trx,
  userId: string,
  id: string | undefined,
): Promise<void> {
  if (id === undefined || !isUuid(id)) return;
  if (await isForeign(db, userId, id))
    throw new AppError('not_found', {
      problems: [{ path: 'signature_id', message: 'Signature not found' }],
    });
}
