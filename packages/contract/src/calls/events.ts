/**
 * Server-sent events in addition to polling (docs/interpretations.md#85): they say what kind of
 * data changed, never its content.
 */
import { z } from 'zod';
import { defineCall } from '../core/call.ts';

/**
 * `mail`: new mail arrived that is worth announcing. `change`: other mail, flags, tags, drafts or
 * counters changed. `import`: an import made progress. `suspended`: the account was suspended, and
 * the stream ends.
 */
export const EVENT_NAMES = ['mail', 'change', 'import', 'suspended'] as const;
export type EventName = (typeof EVENT_NAMES)[number];

export const eventsCalls = {
  stream: defineCall({
    method: 'GET',
    path: '/user/events',
    access: 'user',
    about:
      'A stream of events: mail, change and import. A suspended account receives `suspended` last. The data of each event is {"version": n}. Other calls return what changed.',
    input: z.object({}),
    output: z.object({}),
    transport: 'events',
  }),
} as const;
