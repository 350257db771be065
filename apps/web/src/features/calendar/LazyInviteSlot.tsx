// The card of an invitation as a separate chunk: most messages have none.
import { type ComponentProps, lazy, Suspense } from 'react';
import { loadChunk } from '../../lib/load-chunk.ts';
import { Skeleton } from '../../ui/Skeleton.tsx';
import type { InviteSlot } from './InviteSlot.tsx';

const Slot = lazy(async () => ({
  default: (await loadChunk('invite', () => import('./InviteSlot.tsx'))).InviteSlot,
}));

/** Placeholder while the calendar data is loading. */
export const InviteSkeleton = () => <Skeleton className="mt-1 mb-3.5 h-40 w-full rounded-card" />;

/** Shows the card, or its skeleton while loading. */
export function LazyInviteSlot(props: ComponentProps<typeof InviteSlot>) {
  return (
    <Suspense fallback={<InviteSkeleton />}>
      <Slot {...props} />
    </Suspense>
  );
}
