/**
 * The tables about payments, as Kysely types.
 */
import type { ColumnType } from 'kysely';

type Instant = ColumnType<Date, Date | string, Date | string>;
type InstantOrNull = ColumnType<Date | null, Date | string | null | undefined, Date | string | null>;
type WithDefault<T> = ColumnType<T, T | undefined, T>;

type BillingAccountsTable = {
  user_id: string;
  /** Makes a customer that was asked for twice the same one; renewed when Stripe has lost it. */
  customer_key: string;
  /** Null until Stripe has answered. */
  customer_id: WithDefault<string | null>;
  /** Until when another request of the same user is at it. */
  busy_until: InstantOrNull;
  /** When a payment page was asked for last. */
  asked_at: InstantOrNull;
  /** Looks at Stripe that were begun, and the youngest of which the answer stands below ([Note: Looks in order]). */
  ticket: WithDefault<number>;
  seen_ticket: WithDefault<number>;
  looked_at: InstantOrNull;
  /** The subscription in force; with it the six below, without it none. */
  subscription_id: WithDefault<string | null>;
  plan: WithDefault<'plus' | 'pro' | null>;
  period: WithDefault<'monthly' | 'yearly' | null>;
  /** Whether the last payment failed and is tried again. */
  is_late: WithDefault<boolean>;
  period_ends_at: InstantOrNull;
  /** Its end, once it was cancelled. */
  ends_at: InstantOrNull;
};

type BillingEventsTable = { event_id: string; received_at: Instant };

type BillingClosingsTable = { customer_id: string; attempts: WithDefault<number>; next_attempt_at: Instant };

export type BillingTables = {
  billing_accounts: BillingAccountsTable;
  billing_events: BillingEventsTable;
  billing_closings: BillingClosingsTable;
};
