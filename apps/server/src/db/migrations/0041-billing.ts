/**
 * Payments: each user's Stripe customer and the subscription's state when it was last queried, the
 * processed events, and the customers of closed accounts that are still to be deleted at Stripe. No
 * card, no name, no address.
 */
import { type Kysely, sql } from 'kysely';

const STATEMENTS = [
  `create table billing_accounts (
    user_id uuid primary key,
    customer_key uuid not null,
    customer_id text unique,
    busy_until timestamptz,
    asked_at timestamptz,
    ticket bigint not null default 0,
    seen_ticket bigint not null default 0,
    looked_at timestamptz,
    subscription_id text,
    plan text check (plan in ('plus', 'pro')),
    period text check (period in ('monthly', 'yearly')),
    is_late boolean not null default false,
    period_ends_at timestamptz,
    ends_at timestamptz
  )`,
  `create table billing_events (
    event_id text primary key,
    received_at timestamptz not null
  )`,
  'create index billing_events_by_time on billing_events (received_at)',
  `create table billing_closings (
    customer_id text primary key,
    attempts integer not null default 0,
    next_attempt_at timestamptz not null
  )`,
] as const;

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of STATEMENTS) await sql.raw(statement).execute(db);
}
