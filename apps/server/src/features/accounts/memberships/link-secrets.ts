/**
 * Secrets of an organization's links. They are in the link's fragment, which browsers never send to
 * a server; only their SHA-256 is stored. An invitation secret is invalid as a reset secret.
 */
import { createHash, randomBytes } from 'node:crypto';

const SECRET_BYTES = 32;

export type LinkKind = 'invite' | 'reset';

/** Returns a new secret in base64url, 43 characters. */
export const createLinkSecret = (): string => randomBytes(SECRET_BYTES).toString('base64url');

/** Returns the stored hash of a secret. */
export const hashLinkSecret = (kind: LinkKind, secret: string): Buffer =>
  createHash('sha256').update(`organization ${kind}`).update(Buffer.from(secret, 'base64url')).digest();
