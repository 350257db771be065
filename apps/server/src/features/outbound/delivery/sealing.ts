/**
 * The data that the outbound queue keeps on disk, sealed under the server's key: each message and
 * each recipient's envelope. A sealed value can be opened only in the row it was created for.
 */
import { z } from 'zod';
import type { MasterKey } from '../../../base/master-key.ts';

export type Envelope = { readonly sender: string; readonly recipient: string };

const MESSAGE = 'outbound message';
const ENVELOPE = 'outbound envelope';
const DOMAIN = 'outbound domain';

const storedEnvelope = z.object({ sender: z.string(), recipient: z.string() });

export const sealOutgoing = (masterKey: MasterKey, messageId: string, message: Uint8Array): Buffer =>
  masterKey.seal(MESSAGE, messageId, message);

/** Throws when the row or the key does not match. */
export const openOutgoing = (masterKey: MasterKey, messageId: string, sealed: Uint8Array): Buffer =>
  masterKey.open(MESSAGE, messageId, sealed);

const envelopeContext = (messageId: string, id: string): string => `${messageId} ${id}`;

export const sealEnvelope = (
  masterKey: MasterKey,
  messageId: string,
  id: string,
  envelope: Envelope,
): Buffer => masterKey.seal(ENVELOPE, envelopeContext(messageId, id), Buffer.from(JSON.stringify(envelope)));

/** Throws when the row or the key does not match. */
export const openEnvelope = (
  masterKey: MasterKey,
  messageId: string,
  id: string,
  sealed: Uint8Array,
): Envelope =>
  storedEnvelope.parse(
    JSON.parse(masterKey.open(ENVELOPE, envelopeContext(messageId, id), sealed).toString('utf8')),
  );

/** Returns a keyed digest that groups recipients of one domain without revealing it. */
export const digestDomain = (masterKey: MasterKey, domain: string): Buffer =>
  masterKey.digest(DOMAIN, domain);
