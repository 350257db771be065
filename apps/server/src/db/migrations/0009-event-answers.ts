/**
 * Replies to invitations that our users sent: keyed digests of event and guest, the latest sequence
 * number of the invitation, and the reply. Rows are deleted with the account, and once the event is
 * long over.
 */
import { type Kysely, sql } from 'kysely';

const STATEMENTS = [
  `create table event_answers (
    user_id uuid not null references users (id) on delete cascade,
    event_digest bytea not null,
    guest_digest bytea not null,
    sequence integer not null,
    response text check (response in ('accepted', 'declined', 'tentative')),
    changes integer not null default 0,
    answered_at timestamptz,
    expires_at timestamptz not null,
    primary key (user_id, event_digest, guest_digest)
  )`,
  'create index event_answers_by_expiry on event_answers (expires_at)',
] as const;

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of STATEMENTS) await sql.raw(statement).execute(db);
}
