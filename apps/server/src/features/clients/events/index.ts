/**
 * Events as they happen (api.md, Mail; readings 85): what the app starts, and what other features may say. Polling stays
 * beside it, so an event that is lost costs time and nothing else.
 */
export { startAnnouncer } from './announcer.ts';
export { CHANNEL, parseAnnouncement } from './channel.ts';
export { type EventHub, startEventHub } from './hub.ts';
