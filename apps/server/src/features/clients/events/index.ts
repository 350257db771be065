/**
 * Real-time events (docs/api-conventions.md#mail; docs/interpretations.md#85): what the app starts,
 * and the functions through which other features announce changes. Clients also poll, so a lost
 * event only causes a delay.
 */
export { startAnnouncer } from './announcer.ts';
export { CHANNEL, parseAnnouncement } from './channel.ts';
export { type EventHub, startEventHub } from './hub.ts';
