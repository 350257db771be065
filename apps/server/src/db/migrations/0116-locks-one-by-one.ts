/**
 * [Note: Locks one by one] A function locks several rows one after the other, each by its key, in
 * ascending order: a distributed PostgreSQL locks rows of only one machine per statement, and a
 * function still takes one round trip to the server. The order matches that of the statements in
 * the previous release, so that the two cannot deadlock.
 */
import { type Kysely, sql } from 'kysely';

const STATEMENTS = [
  `create function lock_mailboxes(wanted uuid[])
    returns table (user_id uuid, used_bytes bigint, last_arrival timestamptz)
    language plpgsql as $$
  declare
    one uuid;
  begin
    for one in select distinct w.id from unnest(wanted) w (id) order by w.id loop
      return query select m.user_id, m.used_bytes, m.last_arrival from mailboxes m where m.user_id = one for update;
    end loop;
  end $$`,
  `create function lock_containers(wanted uuid[]) returns integer language plpgsql as $$
  declare
    one uuid;
    held integer := 0;
  begin
    for one in select distinct w.id from unnest(wanted) w (id) order by w.id loop
      perform 1 from blobs b where b.id = one for key share;
      if found then held := held + 1; end if;
    end loop;
    return held;
  end $$`,
] as const;

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of STATEMENTS) await sql.raw(statement).execute(db);
}
