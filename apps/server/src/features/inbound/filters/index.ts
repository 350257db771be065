/**
 * What users have said about arriving mail, for other features: rules, spam settings, lists of senders (docs/spec-map.md 3), and
 * what follows for a mail. Mail sealed by its sender cannot be read here; its readers' clients run the same rules.
 */
export { type ArrivingMail, createInboundFilter, type Treatment } from './inbound-filter.ts';
export { scoreOutgoing } from './outgoing.ts';
export { getRules, renameTagInRules, saveRules } from './rules.ts';
export type { ArrivalVerdicts } from './score.ts';
export { storeStandardSettings } from './settings.ts';
