/**
 * Statements on users and the directory of addresses.
 */
import type { Contact, MainKey, RetiredKey } from '@keyfold/contract';
import type { AdminLevel } from '@keyfold/contract/limits';
import type { Plan } from '@keyfold/contract/plans';
import { type RawBuilder, type SqlBool, sql } from 'kysely';
import { levelOf } from '../../../base/admin-level.ts';
import { FLAG_BITS } from '../../../base/flags.ts';
import type { Db, Trx } from '../../../db/pool.ts';

export type DirectoryRow = {
  /** Requested address. */
  readonly asked: string;
  /** Address that receives its mail; differs from the requested one for a catch-all. */
  readonly address: string;
  readonly is_on: boolean;
  readonly is_catchall: boolean;
  readonly user_id: string;
  readonly name: string;
  readonly status: 'active' | 'suspended';
  readonly plan: 'free' | 'plus' | 'pro';
  readonly bonus_bytes: number;
  readonly main_key: MainKey;
  /** Includes blobs of pending imports. */
  readonly used_bytes: number;
};

const owned = (addresses: readonly string[]) => sql`
  select address as asked, address, is_on, false as is_catchall, user_id
  from addresses where address = any(${[...addresses]}::text[])`;

/** The catch-all does not apply to an address that the domain's owner gave up. */
const caught = (addresses: readonly string[]) => sql`
  select wanted.address, catching.address, catching.is_on, true, catching.user_id
  from unnest(${[...addresses]}::text[]) as wanted(address)
  join domains on domains.domain = split_part(wanted.address, '@', -1)
    and domains.verified_at is not null and domains.catchall <> ''
  join addresses catching on catching.address = domains.catchall and catching.user_id = domains.user_id
  where not exists (
    select from former_addresses
    where digest = sha256(convert_to(wanted.address, 'UTF8')) and user_id = domains.user_id
  )`;

async function withOwners(db: Db | Trx, found: RawBuilder<unknown>): Promise<readonly DirectoryRow[]> {
  const { rows } = await sql<DirectoryRow>`
    select found.asked, found.address, found.is_on, found.is_catchall, found.user_id,
      users.name, users.status, users.plan, users.bonus_bytes, users.main_key,
      mailboxes.used_bytes + (
        select coalesce(sum(size_bytes), 0)::float8 from import_containers where user_id = found.user_id
      ) as used_bytes
    from (${found}) found
    join users on users.id = found.user_id
    join mailboxes on mailboxes.user_id = found.user_id`.execute(db);
  return rows;
}

/** Returns the owners of normalized addresses. Addresses without an owner are absent. */
export const findOwners = (db: Db | Trx, addresses: readonly string[]): Promise<readonly DirectoryRow[]> =>
  withOwners(db, owned(addresses));

/**
 * Like findOwners, but includes the receivers of unknown addresses at their domains; also in one
 * statement.
 */
export const findReceivers = (db: Db | Trx, addresses: readonly string[]): Promise<readonly DirectoryRow[]> =>
  withOwners(db, sql`${owned(addresses)} union all ${caught(addresses)}`);

/**
 * Returns, in one statement and by domain, the main addresses of verified domain owners. Domains
 * without an owner are absent.
 */
export async function findDomainOwnerAddresses(
  db: Db | Trx,
  domains: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  if (domains.length === 0) return new Map();
  const rows = await db
    .selectFrom('domains')
    .innerJoin('addresses', 'addresses.user_id', 'domains.user_id')
    .select(['domains.domain', 'addresses.address'])
    .where(sql<SqlBool>`domains.domain = any(${[...domains]}::text[])`)
    .where('domains.verified_at', 'is not', null)
    .where('addresses.is_primary', '=', true)
    .execute();
  return new Map(rows.map(({ domain, address }) => [domain, address]));
}

/** Returns the main address of the verified owner of a domain, or null. */
export const findDomainOwnerAddress = async (db: Db | Trx, domain: string): Promise<string | null> =>
  (await findDomainOwnerAddresses(db, [domain])).get(domain) ?? null;

/** Returns every address of a user, the primary one first. */
export async function findAddresses(db: Db | Trx, userId: string): Promise<string[]> {
  const rows = await db
    .selectFrom('addresses')
    .select('address')
    .where('user_id', '=', userId)
    .orderBy('is_primary', 'desc')
    .orderBy('created_at')
    .execute();
  return rows.map(row => row.address);
}

/** Returns the fingerprint of a user's current keys. */
export async function findKeyId(db: Db | Trx, userId: string): Promise<string | undefined> {
  const row = await db
    .selectFrom('users')
    .select(sql<string>`main_key->>'key_id'`.as('key_id'))
    .where('id', '=', userId)
    .executeTakeFirst();
  return row?.key_id;
}

/**
 * Returns the bytes in use, the bytes of blobs of pending imports, and the plan and bonus from
 * which the limit is computed.
 */
export const findUsage = (db: Db | Trx, userId: string) =>
  db
    .selectFrom('mailboxes')
    .innerJoin('users', 'users.id', 'mailboxes.user_id')
    .select(['mailboxes.used_bytes', 'users.plan', 'users.bonus_bytes'])
    .select(
      sql<number>`(
        select coalesce(sum(size_bytes), 0)::float8 from import_containers where user_id = ${userId}::uuid
      )`.as('waiting_bytes'),
    )
    .where('mailboxes.user_id', '=', userId)
    .executeTakeFirst();

/** Returns the bytes of blobs of these users' pending imports. Users without any are absent. */
export async function findWaitingBytes(
  trx: Trx,
  userIds: readonly string[],
): Promise<ReadonlyMap<string, number>> {
  const { rows } = await sql<{ user_id: string; bytes: number }>`
    select user_id, sum(size_bytes)::float8 as bytes from import_containers
    where user_id = any(${[...userIds]}::uuid[]) group by user_id`.execute(trx);
  return new Map(rows.map(row => [row.user_id, row.bytes]));
}

type ContactFields = Contact & { verified: boolean };

/**
 * Returns the account data of the user payload in one statement, because every client requests it
 * at startup.
 */
export const findProfile = (db: Db | Trx, userId: string) =>
  db
    .selectFrom('users')
    .innerJoin('mailboxes', 'mailboxes.user_id', 'users.id')
    .select(eb => [
      'users.email',
      'users.kdf_email',
      'users.name',
      'users.is_admin',
      'users.admin_level',
      'users.plan',
      'users.bonus_bytes',
      'users.main_key',
      'users.first_contact_at',
      'mailboxes.used_bytes',
      eb
        .selectFrom('recovery_kits')
        .select('recovery_kits.created_at')
        .whereRef('recovery_kits.user_id', '=', 'users.id')
        .as('recovery_at'),
      eb
        .selectFrom('shown_kits')
        .select(({ fn }) => fn.max('shown_kits.created_at').as('at'))
        .whereRef('shown_kits.user_id', '=', 'users.id')
        .as('recovery_shown_at'),
      eb
        .selectFrom('retired_keys')
        .select(
          sql<RetiredKey[] | null>`json_agg(json_build_object(
            'key_id', key_id, 'generation', generation,
            'sealed', translate(encode(sealed, 'base64'), E'\\n', '')) order by generation)`.as('list'),
        )
        .whereRef('retired_keys.user_id', '=', 'users.id')
        .as('retired_keys'),
      eb
        .selectFrom('second_factors')
        .select('second_factors.activated_at')
        .whereRef('second_factors.user_id', '=', 'users.id')
        .where('second_factors.secret_sealed', 'is not', null)
        .as('totp_since'),
      eb
        .selectFrom('passkeys')
        .select(eb.fn.countAll<number>().as('total'))
        .whereRef('passkeys.user_id', '=', 'users.id')
        .as('passkeys'),
      eb
        .selectFrom('addresses')
        .select(sql<string[] | null>`array_agg(address order by is_primary desc, created_at)`.as('list'))
        .whereRef('addresses.user_id', '=', 'users.id')
        .as('addresses'),
      eb
        .selectFrom('addresses')
        .select(sql<string[] | null>`array_agg(address) filter (where not is_on)`.as('list'))
        .whereRef('addresses.user_id', '=', 'users.id')
        .as('off_addresses'),
      eb
        .selectFrom('addresses')
        .select('address')
        .whereRef('addresses.user_id', '=', 'users.id')
        .where('is_default', '=', true)
        .as('default_address'),
      eb
        .selectFrom('domains')
        .select(sql<string[] | null>`array_agg(domain order by created_at, domain)`.as('list'))
        .whereRef('domains.user_id', '=', 'users.id')
        .as('domains'),
      eb
        .selectFrom('domains')
        .select('domain')
        .whereRef('domains.user_id', '=', 'users.id')
        .where('is_primary', '=', true)
        .as('primary_domain'),
      eb
        .selectFrom('tags')
        .select(
          sql<{ name: string; color: string }[] | null>`json_agg(
            json_build_object('name', name, 'color', color) order by name)`.as('list'),
        )
        .whereRef('tags.user_id', '=', 'users.id')
        .as('tags'),
      eb
        .selectFrom('contacts')
        .select(
          sql<ContactFields[] | null>`json_agg(json_build_object(
            'name', name, 'email', email, 'fingerprint', fingerprint, 'verified', verified,
            'mlkem_public', translate(encode(mlkem_public, 'base64'), E'\\n', ''),
            'dh_public', encode(dh_public, 'base64')) order by lower(name), email)`.as('list'),
        )
        .whereRef('contacts.user_id', '=', 'users.id')
        .as('contacts'),
    ])
    .where('users.id', '=', userId)
    .executeTakeFirst();

/** Condition for the owner of an address: the account has it or signs in with it. */
const isAddressOf = (address: string) => sql<SqlBool>`(
  users.email = ${address} or users.kdf_email = ${address}
  or users.id in (select user_id from addresses where addresses.address = ${address}))`;

/** Returns the account that owns an address or signs in with it. */
export const findAccountId = (db: Db | Trx, address: string) =>
  db.selectFrom('users').select('id').where(isAddressOf(address)).executeTakeFirst();

/**
 * Returns the admin level of a user, null for a user who isn't an admin, or undefined when the user
 * does not exist. Locks the row until the transaction ends.
 */
export async function lockAdminLevel(trx: Trx, userId: string): Promise<AdminLevel | null | undefined> {
  const row = await trx
    .selectFrom('users')
    .select(['is_admin', 'admin_level'])
    .where('id', '=', userId)
    .forUpdate()
    .executeTakeFirst();
  return row && levelOf(row);
}

/**
 * Locks every super admin who is not suspended, in a fixed order, so that two super admins who
 * remove each other don't miss each other's change. Returns the ids of those who are still super
 * admins under the lock. A super admin added meanwhile does no harm.
 */
export async function lockSupers(trx: Trx): Promise<string[]> {
  const rows = await trx
    .selectFrom('users')
    .select('id')
    .where('is_admin', '=', true)
    .where('admin_level', '=', 'super')
    .where('status', '=', 'active')
    .orderBy('id')
    .execute();
  const supers: string[] = [];
  for (const { id } of rows) {
    const account = await trx
      .selectFrom('users')
      .select(['is_admin', 'admin_level', 'status'])
      .where('id', '=', id)
      .forUpdate()
      .executeTakeFirst();
    if (account?.is_admin === true && account.admin_level === 'super' && account.status === 'active')
      supers.push(id);
  }
  return supers;
}

export async function setAdminLevel(trx: Trx, userId: string, level: AdminLevel | null): Promise<void> {
  await trx
    .updateTable('users')
    .set({ is_admin: level !== null, admin_level: level })
    .where('id', '=', userId)
    .execute();
}

export const listAdmins = (db: Db | Trx) =>
  db
    .selectFrom('users')
    .select(['email', 'admin_level'])
    .where('is_admin', '=', true)
    .orderBy('email')
    .execute();

export async function updateName(db: Db | Trx, userId: string, name: string): Promise<void> {
  await db.updateTable('users').set({ name }).where('id', '=', userId).execute();
}

export const findStatus = async (db: Db | Trx, userId: string): Promise<'active' | 'suspended' | undefined> =>
  (await db.selectFrom('users').select('status').where('id', '=', userId).executeTakeFirst())?.status;

/** Returns a user's plan and locks the row until the transaction ends. */
export async function lockPlan(trx: Trx, userId: string): Promise<Plan | undefined> {
  const row = await trx
    .selectFrom('users')
    .select('plan')
    .where('id', '=', userId)
    .forUpdate()
    .executeTakeFirst();
  return row?.plan;
}

export async function updatePlan(trx: Trx, userId: string, plan: Plan): Promise<void> {
  await trx.updateTable('users').set({ plan }).where('id', '=', userId).execute();
}

/**
 * Returns a user's storage use in bytes: messages without attachments, attachments, drafts, spam
 * and deleted messages, and the search index.
 */
export async function sumStorage(db: Db | Trx, userId: string) {
  const { rows } = await sql<
    Record<'attachments' | 'drafts' | 'mail' | 'search_index' | 'spam_and_deleted', number>
  >`
    with sizes as (
      select m.size_bytes,
        m.flags & ${FLAG_BITS.deleted | FLAG_BITS.flagged}::smallint <> 0 as is_waste,
        m.flags & ${FLAG_BITS.draft}::smallint <> 0 as is_draft,
        coalesce((select sum(a.size_bytes) from mail_attachments a
          where a.user_id = m.user_id and a.mail_id = m.id), 0) as file_bytes
      from mails m where m.user_id = ${userId}::uuid
    )
    select
      coalesce(sum(size_bytes) filter (where is_waste), 0)::bigint as spam_and_deleted,
      coalesce(sum(size_bytes) filter (where is_draft and not is_waste), 0)::bigint as drafts,
      coalesce(sum(file_bytes) filter (where not is_draft and not is_waste), 0)::bigint as attachments,
      coalesce(sum(size_bytes - file_bytes) filter (where not is_draft and not is_waste), 0)::bigint as mail,
      (select coalesce(sum(size_bytes), 0)::bigint from search_segments where user_id = ${userId}::uuid) as search_index
    from sizes`.execute(db);
  return rows[0];
}
