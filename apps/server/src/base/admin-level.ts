/**
 * What an account may do as an admin, by its row. Here because accounts, sessions and the console all read it, and one rule
 * decides what each of them allows.
 */
import type { AdminLevel } from '@keyfold/contract/limits';

type Row = { readonly is_admin: boolean; readonly admin_level: AdminLevel | null };

/** Null for who is no admin; one who was named without a level reads only (docs/spec-map.md 6). */
export const levelOf = ({ is_admin, admin_level }: Row): AdminLevel | null =>
  is_admin ? (admin_level ?? 'readonly') : null;
