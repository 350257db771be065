/** What the rest of the server may use of features/outbound/sending. */
export { onHeld, recallHeld } from './hold.ts';
export { createReleaser } from './release.ts';
