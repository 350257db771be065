/**
 * The distribution column of each table in a distributed PostgreSQL, and a check of the list
 * against the schema. The check fails for a table that is not listed, and for a key that does not
 * include the distribution column of its table. docs/scaling.md describes the consequences.
 */
import { type Kysely, sql } from 'kysely';

type Place =
  /** Distributed by user, together with all other data of that user. */
  | { readonly spread: 'user'; readonly by: string }
  /**
   * Distributed by another column, because it is looked up before the user is known; with the
   * reason.
   */
  | { readonly spread: 'own'; readonly by: string; readonly why: string }
  /** A copy on every machine: read everywhere, rarely written; with the reason. */
  | { readonly spread: 'everywhere'; readonly why: string }
  /** On one machine: belongs to the service, not to a user; with the reason. */
  | { readonly spread: 'nowhere'; readonly why: string };

const user = (by = 'user_id'): Place => ({ spread: 'user', by });
const own = (by: string, why: string): Place => ({ spread: 'own', by, why });
const everywhere = (why: string): Place => ({ spread: 'everywhere', why });
const nowhere = (why: string): Place => ({ spread: 'nowhere', why });

const KEY_LOG = 'one log for the whole service, whose order is its meaning';
const COUNTED = 'totals of the whole service';
const QUEUE = 'mail on its way, for minutes; workers lock what is due first, of all';
const TOKEN = 'found by its token, before the user is known';

/** Placement of every Keyfold table. */
export const PLACES: Readonly<Record<string, Place>> = {
  users: user('id'),
  arrival_counts: user(),
  contacts: user(),
  event_answers: user(),
  held_copies: user(),
  held_sends: user(),
  import_containers: user(),
  inbound_receipts: user(),
  known_browsers: user(),
  logins: user(),
  mail_attachments: user(),
  mail_bodies: user(),
  mail_counts: user(),
  mail_filters: user(),
  mail_tags: user(),
  mailboxes: user(),
  mails: user(),
  organization_members: user(),
  outside_counts: user(),
  outside_letters: user(),
  outside_recipients: user(),
  passkey_challenges: user(),
  passkeys: user(),
  push_counts: user(),
  push_devices: user(),
  push_jobs: user(),
  push_shown: user(),
  push_users: user(),
  records: user(),
  recovery_codes: user(),
  complaints: user(),
  recovery_kits: user(),
  shown_kits: user(),
  send_holds: user(),
  retired_keys: user(),
  search_segments: user(),
  second_factors: user(),
  send_receipts: user(),
  server_imports: user(),
  signatures: user(),
  tags: user(),
  addresses: own('address', 'found by the address that mail comes for'),
  blobs: own('id', 'mails of several users refer to one container'),
  captchas_used: own('nonce', 'of nobody yet'),
  client_files: own('path', 'of nobody: files of the web client'),
  devices: own('token_hash', TOKEN),
  former_addresses: own('digest', 'found by the address that somebody asks for'),
  half_sessions: own('token_hash', TOKEN),
  rate_limits: own('key', 'counts addresses and networks too'),
  sessions: own('token_hash', TOKEN),
  share_codes: own('code_hash', TOKEN),
  sts_policies: own('domain_digest', 'of domains elsewhere'),
  report_counts: own('domain_digest', 'of domains elsewhere'),
  received_reports: own('digest', 'of domains of the service'),
  greylist: own('digest', 'asked for before the recipient is looked at'),
  domain_keys: everywhere('signs whatever leaves; a row a domain'),
  push_keys: everywhere('one row'),
  acme_accounts: nowhere('one row'),
  acme_challenges: nowhere('rows of some seconds, for whichever machine is asked'),
  certificates: nowhere('a row a host name'),
  affiliate_codes: nowhere('codes of the operator'),
  audit_entries: nowhere('one log of what admins did, in its order'),
  billing_accounts: nowhere('a row who pays, found by the customer of another service too'),
  billing_closings: nowhere('customers of accounts that are gone'),
  billing_events: nowhere('ids of another service'),
  container_holds: nowhere('a row a backup'),
  domains: nowhere('a row a domain that somebody brought, found by the name that mail comes for'),
  held_recipients: nowhere(QUEUE),
  invitation_codes: nowhere('codes of the operator'),
  job_runs: nowhere('a row a job'),
  last_backups: nowhere('a row a kind of backup'),
  migration_notes: nowhere('a row a migration'),
  key_log_entries: nowhere(KEY_LOG),
  key_log_heads: nowhere(KEY_LOG),
  key_log_map: nowhere(KEY_LOG),
  key_log_notes: nowhere(KEY_LOG),
  key_log_tree: nowhere(KEY_LOG),
  key_log_versions: nowhere(KEY_LOG),
  organizations: nowhere('one row per organization, to which users belong'),
  organization_domains: nowhere('domains of organizations, one holder each'),
  organization_invites: nowhere('of people who have no account yet'),
  organization_resets: nowhere('links of some days, found by their secret'),
  outbound_messages: nowhere(QUEUE),
  outbound_recipients: nowhere(QUEUE),
  server_key: nowhere('one row, read at each start'),
  stat_changes: nowhere(COUNTED),
  stat_totals: nowhere(COUNTED),
  storage_changes: nowhere(COUNTED),
  storage_totals: nowhere(COUNTED),
};

/**
 * Indexes and triggers that a distributed table cannot have but some tables still have, by name.
 * docs/scaling.md describes the substitute for each.
 */
export const GAPS: Readonly<Record<string, string>> = {
  users_kdf_email_key: 'an address is a login once in the service',
  passkeys_credential_id_key: 'a passkey is one user’s (WebAuthn §7.1)',
  push_devices_token_hash_key: 'a device is told of one user’s mail',
  addresses_default: 'a user has one default address',
  sessions_id_key: 'a session is ended by its id',
  users_gone: 'former addresses forget their user',
  key_log_keys: 'the key log hears of keys',
  users_gone_from_audit: 'the audit log forgets its user',
  users_come_and_go: COUNTED,
  users_move: COUNTED,
  mailboxes_come: COUNTED,
  mailboxes_grow: COUNTED,
  mailboxes_go: COUNTED,
  search_segments_come_counted: COUNTED,
  search_segments_gone_counted: COUNTED,
  search_segments_changed_counted: COUNTED,
  blobs_come_counted: COUNTED,
  blobs_gone_counted: COUNTED,
  blobs_changed_counted: COUNTED,
  addresses_gone: 'former addresses remember it',
  addresses_come: 'former addresses refuse it',
  key_log_address: 'the key log hears of addresses',
  sessions_gone_from_push: 'push ends with its session',
  devices_gone_from_push: 'push ends with its device',
};

type Found = { readonly table_name: string; readonly name: string };
type Key = Found & { readonly columns: string[] };
type Reference = Key & { readonly to_table: string; readonly to_columns: string[] };

const read = async <T>(db: Kysely<never>, query: string): Promise<T[]> =>
  (await sql.raw<T>(query).execute(db)).rows;

/** Returns one sentence for each violation in a database's schema, and the gaps found. */
export async function checkDistribution(
  db: Kysely<never>,
): Promise<{ readonly problems: string[]; readonly gaps: string[] }> {
  const problems: string[] = [];
  const gaps: string[] = [];
  const report = (name: string, sentence: string) => {
    if (Object.hasOwn(GAPS, name)) gaps.push(name);
    else problems.push(sentence);
  };
  const byOf = (table: string): string | null => {
    const place = PLACES[table];
    return place !== undefined && 'by' in place ? place.by : null;
  };

  const columns = await read<Found & { is_nullable: boolean }>(
    db,
    `select c.relname as table_name, a.attname as name, not a.attnotnull as is_nullable
     from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
     where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and c.relname not like 'kysely\\_%'`,
  );
  const tables = new Set(columns.map(({ table_name }) => table_name));
  for (const table of tables) {
    const place = PLACES[table];
    if (place === undefined) problems.push(`${table} is not in the list of tables`);
    const by = byOf(table);
    const column = columns.find(one => one.table_name === table && one.name === by);
    if (by !== null && (column === undefined || column.is_nullable))
      problems.push(`${table} has no ${by} in every row, by which it is spread`);
  }
  for (const table of Object.keys(PLACES))
    if (!tables.has(table)) problems.push(`There is no table ${table}`);

  const keys = await read<Key & { is_primary: boolean }>(
    db,
    `select t.relname as table_name, i.relname as name, x.indisprimary as is_primary,
       array(select a.attname::text from pg_attribute a where a.attrelid = t.oid and a.attnum = any(x.indkey)) as columns
     from pg_index x join pg_class i on i.oid = x.indexrelid join pg_class t on t.oid = x.indrelid
     where x.indisunique and t.relnamespace = 'public'::regnamespace`,
  );
  for (const { table_name, name, columns: named } of keys) {
    const by = byOf(table_name);
    if (by !== null && !named.includes(by)) report(name, `${name} of ${table_name} is unique without ${by}`);
  }
  for (const table of tables)
    if (byOf(table) !== null && !keys.some(key => key.table_name === table && key.is_primary))
      problems.push(`${table} has no primary key`);

  const references = await read<Reference>(
    db,
    `select f.relname as table_name, k.conname as name, t.relname as to_table,
       array(select a.attname::text from unnest(k.conkey) with ordinality n(num, at)
         join pg_attribute a on a.attrelid = f.oid and a.attnum = n.num order by n.at) as columns,
       array(select a.attname::text from unnest(k.confkey) with ordinality n(num, at)
         join pg_attribute a on a.attrelid = t.oid and a.attnum = n.num order by n.at) as to_columns
     from pg_constraint k join pg_class f on f.oid = k.conrelid join pg_class t on t.oid = k.confrelid
     where k.contype = 'f' and k.connamespace = 'public'::regnamespace`,
  );
  for (const { table_name, name, to_table, columns: from, to_columns } of references) {
    if (PLACES[to_table]?.spread === 'everywhere') continue;
    const isTogether =
      PLACES[table_name]?.spread === 'user' &&
      PLACES[to_table]?.spread === 'user' &&
      from.some((column, index) => column === byOf(table_name) && to_columns[index] === byOf(to_table));
    if (!isTogether) report(name, `${name} of ${table_name} refers to rows of ${to_table} on other machines`);
  }

  const triggers = await read<Found>(
    db,
    `select t.relname as table_name, g.tgname as name from pg_trigger g join pg_class t on t.oid = g.tgrelid
     where not g.tgisinternal and t.relnamespace = 'public'::regnamespace`,
  );
  for (const { table_name, name } of triggers)
    if (byOf(table_name) !== null)
      report(name, `${name} of ${table_name} is a trigger of a table that is spread`);
  return { problems, gaps: gaps.sort() };
}
