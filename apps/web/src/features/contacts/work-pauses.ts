// Yields during work on thousands of contacts, so that the page stays responsive.
import { createPauses } from '../../lib/pauses.ts';
import { WORK_SLICE_MS } from '../../timing.ts';

/** Called between steps; the signal cancels the work. */
export const createWorkPauses = (signal: AbortSignal = new AbortController().signal) =>
  createPauses(WORK_SLICE_MS, signal);
