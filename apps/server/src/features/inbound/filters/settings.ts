/**
 * Security settings: the spam filter and the sender lists (docs/spec-map.md 3.33). judge.ts applies
 * them to arriving mail.
 */
import type { CustomRule, SecuritySettings } from '@keyfold/contract';
import { AppError } from '@keyfold/contract/errors';
import { SENDERS_MAX } from '@keyfold/contract/limits';
import type { Deps } from '../../../context/deps.ts';
import type { Trx } from '../../../db/pool.ts';
import { wholeCustomRule } from './judge.ts';
import { openSettings, type StoredSettings, sealSettings } from './sealing.ts';
import { toSender, toSenders } from './senders.ts';
import { findFilters, lockFilters, updateFilters } from './store.ts';

type SettingsDeps = Pick<Deps, 'clock' | 'db' | 'masterKey'>;

/** Settings that every account starts with; also apply to an account that has none yet. */
export const STANDARD_SETTINGS: StoredSettings = {
  spam_filters: { enabled: true, sensitivity: 'medium', custom_rules: [] },
  whitelist: [],
  blacklist: [],
};

/** Returns the user's settings. Throws not_found when none were ever saved. */
export async function getSettings(
  { db, masterKey }: SettingsDeps,
  userId: string,
): Promise<SecuritySettings> {
  const row = await findFilters(db, userId);
  const settings = openSettings(masterKey, userId, row?.settings_sealed ?? null);
  if (settings === null) throw new AppError('not_found');
  return { ...settings, updated_at: row?.settings_updated_at?.toISOString() ?? null };
}

async function store(
  { clock, masterKey }: Pick<Deps, 'clock' | 'masterKey'>,
  trx: Trx,
  userId: string,
  settings: StoredSettings,
): Promise<SecuritySettings> {
  const now = clock.now();
  await updateFilters(trx, userId, {
    settings_sealed: sealSettings(masterKey, userId, settings),
    settings_updated_at: now,
  });
  return { ...settings, updated_at: now.toISOString() };
}

/**
 * Stores the standard settings of an account that has none. Returns false when it already has
 * settings.
 */
export async function storeStandardSettings(
  deps: Pick<Deps, 'clock' | 'masterKey'>,
  trx: Trx,
  userId: string,
): Promise<boolean> {
  const row = await lockFilters(trx, userId);
  if (row.settings_sealed !== null) return false;
  await store(deps, trx, userId, STANDARD_SETTINGS);
  return true;
}

/** Removes duplicate rules and keeps the first occurrence as written. */
function withoutRepeats(rules: readonly CustomRule[]): CustomRule[] {
  const seen = new Set<string>();
  return rules.filter(rule => {
    const { field, test, value, action } = wholeCustomRule(rule);
    const key = JSON.stringify([field, test, value, action]);
    if (seen.has(key)) return false;
    seen.add(key);
    return true;
  });
}

/** Replaces the user's settings. Throws malformed for an entry that names no sender. */
export function saveSettings(
  deps: SettingsDeps,
  userId: string,
  given: StoredSettings,
): Promise<SecuritySettings> {
  const settings = {
    spam_filters: {
      ...given.spam_filters,
      custom_rules: withoutRepeats(given.spam_filters.custom_rules.filter(one => one !== '')),
    },
    whitelist: toSenders(given.whitelist, 'whitelist'),
    blacklist: toSenders(given.blacklist, 'blacklist'),
  };
  return deps.db.transaction().execute(async trx => {
    await lockFilters(trx, userId);
    return store(deps, trx, userId, settings);
  });
}

/**
 * Adds a sender to the blacklist and removes it from the whitelist, or removes it from the
 * blacklist. Throws malformed, limit_reached.
 */
export function blockSender(
  deps: SettingsDeps,
  userId: string,
  given: string,
  isBlocked: boolean,
): Promise<SecuritySettings> {
  const sender = toSender(given);
  return deps.db.transaction().execute(async trx => {
    const row = await lockFilters(trx, userId);
    const settings = openSettings(deps.masterKey, userId, row.settings_sealed) ?? STANDARD_SETTINGS;
    const others = settings.blacklist.filter(one => one !== sender);
    if (isBlocked && others.length >= SENDERS_MAX) throw new AppError('limit_reached');
    return store(deps, trx, userId, {
      ...settings,
      whitelist: isBlocked ? settings.whitelist.filter(one => one !== sender) : settings.whitelist,
      blacklist: isBlocked ? [...others, sender] : others,
    });
  });
}
