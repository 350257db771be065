/**
 * Parts of the list pane that are loaded separately, because most lists do not show them at first.
 */
import { type ComponentType, lazy } from 'react';
import { loadChunk } from '../../../lib/load-chunk.ts';
import type { NotedStep } from '../../../session/state/first-steps.ts';
import { loadBulkRun } from '../state/use-bulk.ts';
import type { EmptyListProps } from './EmptyList.tsx';

const loadBulkBar = () => loadChunk('bulk', () => import('./BulkBar.tsx'));
const loadBulkStrip = () => loadChunk('bulk', () => import('./BulkStrip.tsx'));
const loadEmptyList = () => loadChunk('empty-list', () => import('./EmptyList.tsx'));

export const BulkBar = lazy(async () => ({ default: (await loadBulkBar()).BulkBar }));

export const BulkStrip = lazy(async () => ({ default: (await loadBulkStrip()).BulkStrip }));

export const EmptyList = lazy(async () => ({
  // If the text cannot be loaded, the folders must still work.
  default: await loadEmptyList().then(
    one => one.EmptyList,
    () => (_: EmptyListProps) => null,
  ),
}));

export const SearchStrip = lazy(async () => ({
  default: (await loadChunk('search', () => import('../../search/SearchStrip.tsx'))).SearchStrip,
}));

export const FirstSteps = lazy(async () => ({
  // If the checklist cannot be loaded, the mail must still be usable.
  default: await loadChunk('first-steps', () => import('./FirstSteps.tsx')).then(
    one => one.FirstSteps,
    (): ComponentType<{ noted: readonly NotedStep[] }> => () => null,
  ),
}));

/**
 * Preloads what the first selection, its change and an empty folder need. A failure surfaces at
 * first use.
 */
export function warmListParts(): void {
  const parts = [loadBulkBar(), loadEmptyList(), loadBulkStrip(), loadBulkRun()];
  void Promise.all(parts).catch(() => undefined);
}
