/**
 * What users have said about arriving mail, for other features: rules, spam settings, lists of senders (Spec §3), and
 * what follows for a mail. Mail sealed by its sender cannot be read here; its readers' clients run the same rules.
 */
export { createArrivalDesk } from './arrival.ts';
export type { ArrivalVerdicts } from './judge.ts';
export { getRules, renameTagInRules, saveRules } from './rules.ts';
export { blockSender, getSettings, saveSettings } from './settings.ts';
