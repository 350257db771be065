/**
 * Migrates the database to the newest schema. Several processes may call it at once: one applies,
 * the others wait. The map of migrations is explicit, so that a build contains exactly the
 * migrations it names.
 */

import { sql } from 'kysely';
import type { Migration } from 'kysely/migration';
import { Migrator } from 'kysely/migration';
import { StartRefused } from '../base/start-refused.ts';
import * as foundation from './migrations/0001-foundation.ts';
import * as mailSearch from './migrations/0002-mail-search.ts';
import * as rateLimits from './migrations/0003-rate-limits.ts';
import * as ownWraps from './migrations/0004-own-wraps.ts';
import * as waitingMail from './migrations/0005-waiting-mail.ts';
import * as heldSends from './migrations/0006-held-sends.ts';
import * as signaturesAndRecords from './migrations/0007-signatures-and-records.ts';
import * as searchSegments from './migrations/0008-search-segments.ts';
import * as eventAnswers from './migrations/0009-event-answers.ts';
import * as mailFilters from './migrations/0010-mail-filters.ts';
import * as sentRecipients from './migrations/0011-sent-recipients.ts';
import * as signaturesById from './migrations/0012-signatures-by-id.ts';
import * as accountSecurity from './migrations/0015-account-security.ts';
import * as contacts from './migrations/0016-contacts.ts';
import * as addressesAndDomains from './migrations/0017-addresses-and-domains.ts';
import * as keyLog from './migrations/0018-key-log.ts';
import * as endedSchedules from './migrations/0019-ended-schedules.ts';
import * as wokenMail from './migrations/0020-woken-mail.ts';
import * as arrivalCounts from './migrations/0027-arrival-counts.ts';
import * as heldTwins from './migrations/0028-held-twins.ts';
import * as retiredKeys from './migrations/0029-retired-keys.ts';
import * as secondFactor from './migrations/0030-second-factor.ts';
import * as endingKeys from './migrations/0031-ending-keys.ts';
import * as namedRecordKeys from './migrations/0032-named-record-keys.ts';
import * as auditLog from './migrations/0033-audit-log.ts';
import * as statistics from './migrations/0034-statistics.ts';
import * as signupCodes from './migrations/0036-signup-codes.ts';
import * as operations from './migrations/0037-operations.ts';
import * as organizations from './migrations/0038-organizations.ts';
import * as billing from './migrations/0041-billing.ts';
import * as joinedMembers from './migrations/0043-joined-members.ts';
import * as organizationLog from './migrations/0045-organization-log.ts';
import * as importContainers from './migrations/0046-import-containers.ts';
import * as pstImports from './migrations/0047-pst-imports.ts';
import * as serverImports from './migrations/0048-server-imports.ts';
import * as pstReadingTime from './migrations/0049-pst-reading-time.ts';
import * as push from './migrations/0050-push.ts';

import * as biometricTokens from './migrations/0051-biometric-tokens.ts';
import * as pushOutlivesTokens from './migrations/0052-push-outlives-tokens.ts';
import * as toldResets from './migrations/0053-told-resets.ts';
import * as stsPolicies from './migrations/0055-sts-policies.ts';
import * as greylist from './migrations/0056-greylist.ts';
import * as tlsResults from './migrations/0057-tls-results.ts';
import * as reportCounts from './migrations/0058-report-counts.ts';

import * as containerHolds from './migrations/0059-container-holds.ts';
import * as pushByUser from './migrations/0060-push-by-user.ts';
import * as sendWatch from './migrations/0064-send-watch.ts';
import * as receivedReports from './migrations/0070-received-reports.ts';
import * as holdsForComplaints from './migrations/0071-holds-for-complaints.ts';
import * as leasesByDomain from './migrations/0080-leases-by-domain.ts';
import * as lettersToReaders from './migrations/0081-letters-to-readers.ts';
import * as forwards from './migrations/0090-forwards.ts';
import * as restoreRepeats from './migrations/0095-restore-repeats.ts';
import * as reporters from './migrations/0100-reporters.ts';
import * as usedSessions from './migrations/0105-used-sessions.ts';
import * as complainers from './migrations/0110-complainers.ts';
import * as countingByRows from './migrations/0115-counting-by-rows.ts';
import * as locksOneByOne from './migrations/0116-locks-one-by-one.ts';
import * as freeByDomain from './migrations/0120-free-by-domain.ts';
import * as clientFiles from './migrations/0125-client-files.ts';
import * as shownKits from './migrations/0130-shown-kits.ts';
import * as serverKey from './migrations/0145-server-key.ts';
import * as migrationNotes from './migrations/0146-migration-notes.ts';
import * as lastBackups from './migrations/0147-last-backups.ts';
import * as userFilters from './migrations/0150-user-filters.ts';
import * as shownCodes from './migrations/0160-shown-codes.ts';
import * as saidEnds from './migrations/0161-said-ends.ts';
import * as certificates from './migrations/0170-certificates.ts';
import type { Db } from './pool.ts';

/**
 * A migration. `needs` names the oldest migration that a program must know to run on the resulting
 * schema; every contracting migration must export it. See docs/scaling.md, Upgrades.
 */
export type SchemaMigration = Migration & { readonly needs?: string };
type SchemaMigrations = Readonly<Record<string, SchemaMigration>>;

/** The migrations of this release. */
export const MIGRATIONS: SchemaMigrations = {
  '0001-foundation': foundation,
  '0002-mail-search': mailSearch,
  '0003-rate-limits': rateLimits,
  '0004-own-wraps': ownWraps,
  '0005-waiting-mail': waitingMail,
  '0006-held-sends': heldSends,
  '0007-signatures-and-records': signaturesAndRecords,
  '0008-search-segments': searchSegments,
  '0009-event-answers': eventAnswers,
  '0010-mail-filters': mailFilters,
  '0011-sent-recipients': sentRecipients,
  '0012-signatures-by-id': signaturesById,
  '0015-account-security': accountSecurity,
  '0016-contacts': contacts,
  '0017-addresses-and-domains': addressesAndDomains,
  '0018-key-log': keyLog,
  '0019-ended-schedules': endedSchedules,
  '0020-woken-mail': wokenMail,
  '0027-arrival-counts': arrivalCounts,
  '0028-held-twins': heldTwins,
  '0029-retired-keys': retiredKeys,
  '0030-second-factor': secondFactor,
  '0031-ending-keys': endingKeys,
  '0032-named-record-keys': namedRecordKeys,
  '0033-audit-log': auditLog,
  '0034-statistics': statistics,
  '0036-signup-codes': signupCodes,
  '0037-operations': operations,
  '0038-organizations': organizations,
  '0041-billing': billing,
  '0043-joined-members': joinedMembers,
  '0045-organization-log': organizationLog,
  '0046-import-containers': importContainers,
  '0047-pst-imports': pstImports,
  '0048-server-imports': serverImports,
  '0049-pst-reading-time': pstReadingTime,
  '0050-push': push,
  '0051-biometric-tokens': biometricTokens,
  '0052-push-outlives-tokens': pushOutlivesTokens,
  '0053-told-resets': toldResets,
  '0055-sts-policies': stsPolicies,
  '0056-greylist': greylist,
  '0057-tls-results': tlsResults,
  '0058-report-counts': reportCounts,
  '0059-container-holds': containerHolds,
  '0060-push-by-user': pushByUser,
  '0064-send-watch': sendWatch,
  '0070-received-reports': receivedReports,
  '0071-holds-for-complaints': holdsForComplaints,
  '0080-leases-by-domain': leasesByDomain,
  '0081-letters-to-readers': lettersToReaders,
  '0090-forwards': forwards,
  '0095-restore-repeats': restoreRepeats,
  '0100-reporters': reporters,
  '0105-used-sessions': usedSessions,
  '0110-complainers': complainers,
  '0115-counting-by-rows': countingByRows,
  '0116-locks-one-by-one': locksOneByOne,
  '0120-free-by-domain': freeByDomain,
  '0125-client-files': clientFiles,
  '0130-shown-kits': shownKits,
  '0145-server-key': serverKey,
  '0146-migration-notes': migrationNotes,
  '0147-last-backups': lastBackups,
  '0150-user-filters': userFilters,
  '0160-shown-codes': shownCodes,
  '0161-said-ends': saidEnds,
  '0170-certificates': certificates,
};

/** Names of all migrations, in order. */
export const MIGRATION_NAMES: readonly string[] = Object.keys(MIGRATIONS).sort();

/**
 * Contracting migrations and what each of them needs; all others only add
 * (tests/expanding.test.ts).
 */
export const MIGRATION_NEEDS: Readonly<Record<string, string>> = Object.fromEntries(
  Object.entries(MIGRATIONS).flatMap(([name, { needs }]) => (needs === undefined ? [] : [[name, needs]])),
);

/** The migration that creates the notes table; earlier migrations have no notes. */
const FIRST_NOTED = '0146-migration-notes';

const withNote = (name: string, { up, needs }: SchemaMigration): Migration => ({
  up: async db => {
    await up(db);
    if (name < FIRST_NOTED) return;
    await sql`insert into migration_notes (name, needs) values (${name}, ${needs ?? null})`.execute(db);
  },
});

/**
 * Returns the names of migrations that a newer release has applied.
 *
 * [Note: Newer schemas] During a rolling upgrade, and after a rollback, the previous release runs
 * on the newer schema. This is allowed if every migration it does not know is noted as needing
 * nothing, or only a migration it knows. Otherwise throws StartRefused, because data that this
 * program writes could be lost or wrong on that schema.
 */
async function findAhead(db: Db, migrations: SchemaMigrations): Promise<string[]> {
  const { rows: tables } = await sql<{ applied: boolean; notes: boolean }>`
    select to_regclass('public.kysely_migration') is not null as applied,
      to_regclass('public.migration_notes') is not null as notes`.execute(db);
  if (tables[0]?.applied !== true) return [];
  const { rows } = await sql<{ name: string }>`select name from kysely_migration order by name`.execute(db);
  const ahead = rows.map(({ name }) => name).filter(name => !Object.hasOwn(migrations, name));
  if (ahead.length === 0) return [];
  const { rows: notes } =
    tables[0].notes === true
      ? await sql<{ name: string; needs: string | null }>`select name, needs from migration_notes`.execute(db)
      : { rows: [] };
  const isBearable = (name: string): boolean =>
    notes.some(note => note.name === name && (note.needs === null || Object.hasOwn(migrations, note.needs)));
  const refused = ahead.find(name => !isBearable(name));
  if (refused !== undefined)
    throw new StartRefused(
      `A newer version of Keyfold changed the database, and this version cannot use it (${refused}). Install that version again, or restore a backup from before the upgrade`,
    );
  return ahead;
}

/**
 * Returns the migrator for a database, and the migrations that a newer release has applied there.
 */
async function createMigrator(
  db: Db,
  migrations: SchemaMigrations,
): Promise<{ readonly migrator: Migrator; readonly ahead: readonly string[] }> {
  const ahead = await findAhead(db, migrations);
  const known = Object.entries(migrations).map(([name, one]) => [name, withNote(name, one)] as const);
  const applied = ahead.map(name => [name, { up: async () => {} }] as const);
  const provider = { getMigrations: async () => Object.fromEntries([...known, ...applied]) };
  // A patch of an older release may have introduced a migration that the newer release adopted
  // after applying its own.
  return { migrator: new Migrator({ db, provider, allowUnorderedMigrations: true }), ahead };
}

/**
 * Applies missing migrations; returns the names of those that a newer release has already applied.
 * Throws the first failure; migrations applied before it remain. Tests pass migrations other than
 * this release's.
 */
export async function migrate(db: Db, migrations = MIGRATIONS): Promise<readonly string[]> {
  const { migrator, ahead } = await createMigrator(db, migrations);
  const { error } = await migrator.migrateToLatest();
  if (error === undefined) return ahead;
  // A newer release has migrated in the meantime.
  if ((await findAhead(db, migrations)).length > ahead.length) return migrate(db, migrations);
  throw error;
}

/** Applies missing migrations up to and including the named one. Throws as `migrate` does. */
export async function migrateUpTo(db: Db, name: string): Promise<void> {
  const { migrator } = await createMigrator(db, MIGRATIONS);
  const { error } = await migrator.migrateTo(name);
  if (error !== undefined) throw error;
}
