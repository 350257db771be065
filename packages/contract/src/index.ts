/**
 * The HTTP contract: the table of all calls, and the schemas and limits that client and server share.
 */
import { auth, csrf } from './auth.ts';
import { mail } from './mail.ts';
import { sending } from './sending.ts';

/** Every call of the product by group and name. */
export const api = { auth, csrf, mail, sending } as const;

export { captchaChallenge, loginHash } from './auth.ts';
export type { Access, Call, CallTable, Handlers, InputOf, OutputOf, Transport } from './call.ts';
export { type FailureBody, failureBody } from './envelope.ts';
export { FOLDER_FILTERS, type FolderName, TAG_FILTER } from './folders.ts';
export { type Email, queryInput } from './mail.ts';
export type { Recipient } from './sending.ts';
export { type AddressKeys, type Contact, type MainKey, mainKey, type Tag, type User } from './user.ts';
