/**
 * Public interface of users' inbound filters: rules, spam settings and sender lists
 * (docs/spec-map.md 3), and how they apply to a message. Messages sealed by their sender cannot be
 * read here; the recipients' clients run the same rules on them.
 */
export { type ArrivingMail, createInboundFilter, type Treatment } from './inbound-filter.ts';
export { scoreOutgoing } from './outgoing.ts';
export { renameTagInRules } from './rules.ts';
export type { ArrivalVerdicts } from './score.ts';
export { storeStandardSettings } from './settings.ts';
