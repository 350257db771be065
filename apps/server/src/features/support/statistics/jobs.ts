/**
 * Job body that folds the counters, so that reading them stays cheap.
 */
import type { Deps } from '../../../context/deps.ts';
import { foldChanges } from './store.ts';

/** Folds the accumulated changes; returns the number of rows. */
export const foldStatistics = ({ db }: Pick<Deps, 'db'>): Promise<number> => foldChanges(db);
