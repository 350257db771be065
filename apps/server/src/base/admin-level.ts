/**
 * An account's admin permissions, derived from its row. In the base layer because accounts,
 * sessions and the console all read them by the same rule.
 */
import type { AdminLevel } from '@keyfold/contract/limits';

type Row = { readonly is_admin: boolean; readonly admin_level: AdminLevel | null };

/**
 * Returns null for accounts that are not admins; admins without a level are read-only
 * (docs/spec-map.md 6).
 */
export const levelOf = ({ is_admin, admin_level }: Row): AdminLevel | null =>
  is_admin ? (admin_level ?? 'readonly') : null;
