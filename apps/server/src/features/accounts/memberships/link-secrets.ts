/**
 * Secrets of the links that an organisation gives out. They travel in a link's fragment, which no server sees; a SHA-256 of
 * each is stored. One of an invitation is worth nothing as one of a reset.
 */
import { createHash, randomBytes } from 'node:crypto';

const SECRET_BYTES = 32;

export type LinkKind = 'invite' | 'reset';

/** A new secret, base64url, 43 characters. */
export const createLinkSecret = (): string => randomBytes(SECRET_BYTES).toString('base64url');

/** What is stored of a secret. */
export const hashLinkSecret = (kind: LinkKind, secret: string): Buffer =>
  createHash('sha256').update(`organization ${kind}`).update(Buffer.from(secret, 'base64url')).digest();
