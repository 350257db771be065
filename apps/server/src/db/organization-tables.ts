/**
 * Kysely types of the tables for organizations. All rows of an organization are changed under the
 * lock of its own row.
 */
import type { OrganizationRole } from '@keyfold/contract/limits';
import type { ColumnType } from 'kysely';

type Instant = ColumnType<Date, Date | string, Date | string>;

type OrganizationsTable = {
  id: string;
  name: string;
  created_at: Instant;
  /**
   * Number of members who ever joined by invitation, including those of its owners' earlier
   * organizations.
   */
  joined: ColumnType<number, number | undefined, number>;
};

/** A user belongs to at most one organization. */
type OrganizationMembersTable = {
  user_id: string;
  organization_id: string;
  role: OrganizationRole;
  joined_at: Instant;
};

/** Open invitations; `id` is the ID of the future account. */
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
  /** Who created the link; null for links from before this column existed. */
  begun_by: string | null;
  /**
   * Until when the same person can create another link without another notice: the expiry of the
   * first link.
   */
  quiet_until: ColumnType<Date | null, Date | string | null, Date | string | null>;
};

/**
 * Domains at which members have addresses; `user_id` is the holder, who owns the verified claim.
 */
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
