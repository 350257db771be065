/** Announcements between nodes: a user and a kind of change. The channel carries nothing else. */
import type { ChangeKind } from '../../../db/changes.ts';

export const CHANNEL = 'keyfold_changes';

export type Announcement = { readonly userId: string; readonly kind: ChangeKind };

const FORM = /^([0-9a-f-]{36}) (mail|change|session)$/;

export const formatAnnouncement = ({ userId, kind }: Announcement): string => `${userId} ${kind}`;

/** Parses a payload; returns null when it is not an announcement. */
export function parseAnnouncement(payload: string): Announcement | null {
  const [, userId, kind] = FORM.exec(payload) ?? [];
  return userId === undefined ? null : { userId, kind: kind as ChangeKind };
}
