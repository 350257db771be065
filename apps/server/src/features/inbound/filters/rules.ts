/**
 * A user's rules for arriving mail, readable by the server, which runs them on plaintext mail.
 * Matching is implemented in @keyfold/mail/rules; inbound-filter.ts decides which messages they run
 * on.
 */
import type { Rule } from '@keyfold/contract';
import type { Deps } from '../../../context/deps.ts';
import type { Trx } from '../../../db/pool.ts';
import { keyOfTag } from '../../mailbox/messages/index.ts';
import { openRules, sealRules } from './sealing.ts';
import { findFilters, lockFilters, updateFilters } from './store.ts';

type RuleDeps = Pick<Deps, 'db' | 'masterKey'>;

/** Returns the user's rules in evaluation order. */
export const getRules = async ({ db, masterKey }: RuleDeps, userId: string): Promise<Rule[]> =>
  openRules(masterKey, userId, (await findFilters(db, userId))?.rules_sealed ?? null);

/** Replaces the user's rules. */
export const saveRules = (
  { db, masterKey }: RuleDeps,
  userId: string,
  rules: readonly Rule[],
): Promise<void> =>
  db.transaction().execute(async trx => {
    await lockFilters(trx, userId);
    await updateFilters(trx, userId, { rules_sealed: sealRules(masterKey, userId, rules) });
  });

/** Updates a renamed tag's name in the user's rules. */
export async function renameTagInRules(
  trx: Trx,
  masterKey: Deps['masterKey'],
  userId: string,
  oldName: string,
  newName: string,
): Promise<void> {
  const key = keyOfTag(oldName);
  const isMeant = (name: string) => keyOfTag(name) === key;
  const known = openRules(masterKey, userId, (await findFilters(trx, userId))?.rules_sealed ?? null);
  if (!known.some(rule => rule.actions.tags.some(isMeant))) return;
  const { rules_sealed } = await lockFilters(trx, userId);
  const rules = openRules(masterKey, userId, rules_sealed).map(rule => ({
    ...rule,
    actions: { ...rule.actions, tags: rule.actions.tags.map(name => (isMeant(name) ? newName : name)) },
  }));
  await updateFilters(trx, userId, { rules_sealed: sealRules(masterKey, userId, rules) });
}
