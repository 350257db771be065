/**
 * Revokes access that must not return with a restored database: sessions, browsers and phones that
 * stay signed in, MFA-pending sessions, password reset links, invitations, and push registrations
 * of devices. They may have been ended after the backup was taken, and no record of that remains.
 * Codes of authenticator apps count from the restore on. Whether a recovery code was used or a
 * password changed since is unknown: docs/operations.md says what to do about it.
 */
import { sql } from 'kysely';
import { TOTP_STEP_SECONDS, TOTP_STEPS_ASIDE } from '../../../base/limits.ts';
import type { Db } from '../../../db/pool.ts';

/** Tables whose rows grant access without a password. */
const OPENING = [
  'push_devices',
  'passkey_challenges',
  'half_sessions',
  'organization_resets',
  'organization_invites',
  'share_codes',
  'devices',
  'sessions',
] as const;

/** Revokes all of it in one transaction. The schema may be an older one that lacks some tables. */
export const revokeAfterRestore = (db: Db, now: Date): Promise<void> =>
  db.transaction().execute(async trx => {
    const { rows } = await sql<{ name: string }>`
      select tablename as name from pg_tables where schemaname = 'public'`.execute(trx);
    const there = new Set(rows.map(({ name }) => name));
    for (const table of OPENING) if (there.has(table)) await trx.deleteFrom(table).execute();
    if (!there.has('second_factors')) return;
    const lastStep = Math.floor(now.getTime() / 1000 / TOTP_STEP_SECONDS) + TOTP_STEPS_ASIDE;
    await trx
      .updateTable('second_factors')
      .set({ last_step: sql`greatest(last_step, ${lastStep})` })
      .execute();
  });
