/**
 * The tables of organisations as Kysely types. All rows of an organisation are changed under the lock of its own row.
 */
import type { OrganizationRole } from '@keyfold/contract/limits';
import type { ColumnType } from 'kysely';

type Instant = ColumnType<Date, Date | string, Date | string>;

type OrganizationsTable = {
  id: string;
  name: string;
  created_at: Instant;
  /** How many ever joined by invitation, its owners' earlier organisations included. */
  joined: ColumnType<number, number | undefined, number>;
};

/** One belongs to one organisation at most. */
type OrganizationMembersTable = {
  user_id: string;
  organization_id: string;
  role: OrganizationRole;
  joined_at: Instant;
};

/** Open invitations; `id` is that of the account to come. */
type OrganizationInvitesTable = {
  id: string;
  organization_id: string;
  /** SHA-256 of the link's secret. */
  token_hash: Buffer;
  address: string;
  name: string;
  role: OrganizationRole;
  created_at: Instant;
  expires_at: Instant;
};

type OrganizationResetsTable = {
  user_id: string;
  organization_id: string;
  /** SHA-256 of the link's secret. */
  token_hash: Buffer;
  expires_at: Instant;
  /** Who made the link; null for one from before this was kept. */
  begun_by: string | null;
  /** Until when the same person makes another link without another notice: the end of the first one's life. */
  quiet_until: ColumnType<Date | null, Date | string | null, Date | string | null>;
};

/** Domains at which members have addresses; `user_id` is the holder, whose claim was proved. */
type OrganizationDomainsTable = {
  domain: string;
  organization_id: string;
  user_id: string;
  connected_at: Instant;
};

export type OrganizationTables = {
  organizations: OrganizationsTable;
  organization_members: OrganizationMembersTable;
  organization_invites: OrganizationInvitesTable;
  organization_resets: OrganizationResetsTable;
  organization_domains: OrganizationDomainsTable;
};
