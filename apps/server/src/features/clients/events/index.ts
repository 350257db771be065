/**
 * Events as they happen (docs/api-conventions.md#mail; docs/interpretations.md#85): what the app starts, and what other features
 * may say. Polling stays beside it, so an event that is lost costs time and nothing else.
 */
export { startAnnouncer } from './announcer.ts';
export { CHANNEL, parseAnnouncement } from './channel.ts';
export { type EventHub, startEventHub } from './hub.ts';
