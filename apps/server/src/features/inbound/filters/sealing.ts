/**
 * Stored form of rules and settings: JSON sealed under the server's key, bound to the user's row.
 * The server can read them, because it acts on them; a copied disk does not reveal them.
 */
import { type Rule, rule, type SecuritySettings, securitySettings } from '@keyfold/contract';
import { z } from 'zod';
import type { MasterKey } from '../../../base/master-key.ts';

const RULES = 'mail rules';
const SETTINGS = 'security settings';

const storedSettings = securitySettings.omit({ updated_at: true });
export type StoredSettings = Omit<SecuritySettings, 'updated_at'>;

/** Settings as they are sealed. Earlier releases omit `is_chosen`. */
const sealedSettings = storedSettings.extend({ is_chosen: z.literal(true).optional() });

/**
 * In earlier releases the filter was off by default, and blocking the first sender stored that
 * default. The user did not choose it, so the filter of such an account is on.
 */
function withChosenFilter({ is_chosen, ...settings }: z.infer<typeof sealedSettings>): StoredSettings {
  const { spam_filters, whitelist, blacklist } = settings;
  const isOfBlockAlone =
    is_chosen !== true &&
    !spam_filters.enabled &&
    spam_filters.sensitivity === 'medium' &&
    spam_filters.custom_rules.length === 0 &&
    whitelist.length === 0 &&
    blacklist.length > 0;
  return isOfBlockAlone ? { ...settings, spam_filters: { ...spam_filters, enabled: true } } : settings;
}

const toBytes = (value: unknown): Buffer => Buffer.from(JSON.stringify(value));
const fromBytes = (bytes: Buffer): unknown => JSON.parse(bytes.toString('utf8'));

export const sealRules = (masterKey: MasterKey, userId: string, rules: readonly Rule[]): Buffer =>
  masterKey.seal(RULES, userId, toBytes(rules));

/** Opens a user's rules. Throws when the row or the key does not match. */
export const openRules = (masterKey: MasterKey, userId: string, sealed: Buffer | null): Rule[] =>
  sealed === null ? [] : z.array(rule).parse(fromBytes(masterKey.open(RULES, userId, sealed)));

export const sealSettings = (masterKey: MasterKey, userId: string, settings: StoredSettings): Buffer =>
  masterKey.seal(SETTINGS, userId, toBytes({ ...settings, is_chosen: true }));

/**
 * Opens a user's settings. Returns null when none were ever saved. Throws when the row or the key
 * does not match.
 */
export const openSettings = (
  masterKey: MasterKey,
  userId: string,
  sealed: Buffer | null,
): StoredSettings | null =>
  sealed === null
    ? null
    : withChosenFilter(sealedSettings.parse(fromBytes(masterKey.open(SETTINGS, userId, sealed))));
