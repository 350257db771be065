// Pauses in the work on thousands of contacts: the page stays usable meanwhile.
import { createPauses } from '../../lib/pauses.ts';
import { workSliceMs } from '../../timing.ts';

/** Asked between steps; the signal ends the work. */
export const createWorkPauses = (signal: AbortSignal = new AbortController().signal) =>
  createPauses(workSliceMs, signal);
