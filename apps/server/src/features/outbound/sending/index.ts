/** Public interface of features/outbound/sending. */
export { onHeld, recallHeld } from './hold.ts';
export { createReleaser } from './release.ts';
