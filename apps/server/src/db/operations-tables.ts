/**
 * The tables of those who run the service, beside those of its users: codes for new accounts.
 */
import type { ColumnType, Generated } from 'kysely';

type InstantOrNull = ColumnType<Date | null, Date | string | null | undefined, Date | string | null>;
type WithDefault<T> = ColumnType<T, T | undefined, T>;

/** Opaque codes of who brought an account, made by the operator. */
export type AffiliateCodesTable = {
  code: string;
  /** The operator's own word for it. */
  note: WithDefault<string>;
  /** Accounts that were made with it. */
  signups: WithDefault<number>;
  created_at: Generated<Date>;
};

export type InvitationCodesTable = {
  id: string;
  /** SHA-256 of the code. */
  code_hash: Buffer;
  /** The first characters of the code, by which its maker knows it again. */
  hint: string;
  note: WithDefault<string>;
  uses_allowed: number;
  uses_left: number;
  /** Null: it never ends. */
  expires_at: InstantOrNull;
  created_at: Generated<Date>;
};

export type OperationsTables = {
  affiliate_codes: AffiliateCodesTable;
  invitation_codes: InvitationCodesTable;
};
