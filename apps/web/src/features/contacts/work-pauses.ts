// Pauses in the work on thousands of contacts: the page stays usable meanwhile.
import { createPauses } from '../../lib/pauses.ts';
import { WORK_SLICE_MS } from '../../timing.ts';

/** Asked between steps; the signal ends the work. */
export const createWorkPauses = (signal: AbortSignal = new AbortController().signal) =>
  createPauses(WORK_SLICE_MS, signal);
