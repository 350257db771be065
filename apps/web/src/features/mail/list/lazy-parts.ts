/** Parts of the list pane that are fetched apart: most lists show none of them at first. */
import { type ComponentType, lazy } from 'react';
import { loadChunk } from '../../../lib/load-chunk.ts';
import type { NotedStep } from '../../../session/state/first-steps.ts';
import type { EmptyListProps } from './EmptyList.tsx';

const loadBulkBar = () => loadChunk('bulk', () => import('./BulkBar.tsx'));
const loadEmptyList = () => loadChunk('empty-list', () => import('./EmptyList.tsx'));

export const BulkBar = lazy(async () => ({ default: (await loadBulkBar()).BulkBar }));

export const EmptyList = lazy(async () => ({
  // Words that cannot be loaded must not take the folders away with them.
  default: await loadEmptyList().then(
    one => one.EmptyList,
    () => (_: EmptyListProps) => null,
  ),
}));

export const SearchStrip = lazy(async () => ({
  default: (await loadChunk('search', () => import('../../search/SearchStrip.tsx'))).SearchStrip,
}));

export const FirstSteps = lazy(async () => ({
  // A checklist that cannot be loaded must not stand in the way of mail.
  default: await loadChunk('first-steps', () => import('./FirstSteps.tsx')).then(
    one => one.FirstSteps,
    (): ComponentType<{ noted: readonly NotedStep[] }> => () => null,
  ),
}));

/** Fetches what the first tick and an empty folder need; a failure shows when it is used. */
export function warmListParts(): void {
  void Promise.all([loadBulkBar(), loadEmptyList()]).catch(() => undefined);
}
