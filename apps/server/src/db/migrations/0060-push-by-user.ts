/**
 * Primary keys of the push tables begin with the user, so that the rows can be distributed with the
 * user's other data. A device's token stays unique for the whole service: registering it removes it
 * from other users. Plain indexes serve look-ups by ID.
 */
import { type Kysely, sql } from 'kysely';

const STATEMENTS = [
  'alter table push_jobs drop constraint push_jobs_device_id_fkey',
  'alter table push_shown drop constraint push_shown_device_id_fkey',
  'alter table push_devices drop constraint push_devices_pkey, add primary key (user_id, id)',
  'create index push_devices_by_id on push_devices (id)',
  'drop index push_devices_by_user',
  'alter table push_jobs drop constraint push_jobs_pkey, add primary key (user_id, id)',
  'create index push_jobs_by_id on push_jobs (id)',
  'drop index push_jobs_one_summary',
  `create unique index push_jobs_one_summary on push_jobs (user_id, device_id) where type = 'summary'`,
  `alter table push_jobs add foreign key (user_id, device_id)
    references push_devices (user_id, id) on delete cascade`,
  'alter table push_shown drop constraint push_shown_pkey, add primary key (user_id, device_id, mail_id)',
  'create index push_shown_by_device on push_shown (device_id, mail_id)',
  'drop index push_shown_by_user',
  `alter table push_shown add foreign key (user_id, device_id)
    references push_devices (user_id, id) on delete cascade`,
] as const;

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of STATEMENTS) await sql.raw(statement).execute(db);
}
