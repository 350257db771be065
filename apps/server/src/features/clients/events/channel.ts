/**
 * What nodes tell each other: which user, and what kind of thing happened. Nothing else goes over the channel.
 */
import type { ChangeKind } from '../../../db/changes.ts';

export const CHANNEL = 'keyfold_changes';

export type Announcement = { readonly userId: string; readonly kind: ChangeKind };

const FORM = /^([0-9a-f-]{36}) (mail|change|session)$/;

export const formatAnnouncement = ({ userId, kind }: Announcement): string => `${userId} ${kind}`;

/** Null for what is none of ours. */
export function parseAnnouncement(payload: string): Announcement | null {
  const [, userId, kind] = FORM.exec(payload) ?? [];
  return userId === undefined ? null : { userId, kind: kind as ChangeKind };
}
