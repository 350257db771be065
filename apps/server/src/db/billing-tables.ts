/** Kysely types of the tables for payments. */
import type { ColumnType } from 'kysely';

type Instant = ColumnType<Date, Date | string, Date | string>;
type InstantOrNull = ColumnType<Date | null, Date | string | null | undefined, Date | string | null>;
type WithDefault<T> = ColumnType<T, T | undefined, T>;

type BillingAccountsTable = {
  user_id: string;
  /**
   * Idempotency key, so that creating a customer twice yields the same one; renewed if Stripe has
   * lost the customer.
   */
  customer_key: string;
  /** Null until Stripe has responded. */
  customer_id: WithDefault<string | null>;
  /** Until when another request of the same user holds the row. */
  busy_until: InstantOrNull;
  /** When a payment page was last requested. */
  asked_at: InstantOrNull;
  /**
   * Number of Stripe queries started, and the newest one whose response is stored below ([Note:
   * Looks in order]).
   */
  ticket: WithDefault<number>;
  seen_ticket: WithDefault<number>;
  looked_at: InstantOrNull;
  /** The subscription in force; without one, the columns below are unset. */
  subscription_id: WithDefault<string | null>;
  plan: WithDefault<'plus' | 'pro' | null>;
  period: WithDefault<'monthly' | 'yearly' | null>;
  /** Whether the last payment failed and is being retried. */
  is_late: WithDefault<boolean>;
  period_ends_at: InstantOrNull;
  /** When a canceled subscription ends. */
  ends_at: InstantOrNull;
};

type BillingEventsTable = { event_id: string; received_at: Instant };

type BillingClosingsTable = { customer_id: string; attempts: WithDefault<number>; next_attempt_at: Instant };

export type BillingTables = {
  billing_accounts: BillingAccountsTable;
  billing_events: BillingEventsTable;
  billing_closings: BillingClosingsTable;
};
