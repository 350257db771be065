/**
 * Rules and settings as the database has them: JSON sealed under the server's key, each opening in its user's row alone.
 * The server reads them, since it acts on them; a copied disk does not.
 */
import { type Rule, rule, type SecuritySettings, securitySettings } from '@keyfold/contract';
import { z } from 'zod';
import type { MasterKey } from '../../master-key.ts';

const RULES = 'mail rules';
const SETTINGS = 'security settings';

const storedSettings = securitySettings.omit({ updated_at: true });
export type StoredSettings = Omit<SecuritySettings, 'updated_at'>;

const toBytes = (value: unknown): Buffer => Buffer.from(JSON.stringify(value));
const fromBytes = (bytes: Buffer): unknown => JSON.parse(bytes.toString('utf8'));

export const sealRules = (masterKey: MasterKey, userId: string, rules: readonly Rule[]): Buffer =>
  masterKey.seal(RULES, userId, toBytes(rules));

/** Throws when the row or the key is another one. */
export const openRules = (masterKey: MasterKey, userId: string, sealed: Buffer | null): Rule[] =>
  sealed === null ? [] : z.array(rule).parse(fromBytes(masterKey.open(RULES, userId, sealed)));

export const sealSettings = (masterKey: MasterKey, userId: string, settings: StoredSettings): Buffer =>
  masterKey.seal(SETTINGS, userId, toBytes(settings));

/** Null when none were ever saved. Throws when the row or the key is another one. */
export const openSettings = (
  masterKey: MasterKey,
  userId: string,
  sealed: Buffer | null,
): StoredSettings | null =>
  sealed === null ? null : storedSettings.parse(fromBytes(masterKey.open(SETTINGS, userId, sealed)));
