// The card of an invitation as a chunk of its own: most mail carries none.
import { type ComponentProps, lazy, Suspense } from 'react';
import { loadChunk } from '../../lib/load-chunk.ts';
import { Skeleton } from '../../ui/Skeleton.tsx';
import type { InviteSlot } from './InviteSlot.tsx';

const Slot = lazy(async () => ({
  default: (await loadChunk('invite', () => import('./InviteSlot.tsx'))).InviteSlot,
}));

/** What stands there while the calendar data is read. */
export const InviteSkeleton = () => <Skeleton className="mt-1 mb-3.5 h-40 w-full rounded-card" />;

/** The card, or its shape until it is there. */
export function LazyInviteSlot(props: ComponentProps<typeof InviteSlot>) {
  return (
    <Suspense fallback={<InviteSkeleton />}>
      <Slot {...props} />
    </Suspense>
  );
}
