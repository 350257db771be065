/**
 * Server-sent events beside polling (docs/interpretations.md#85): what changed, never of what it consists.
 */
import { z } from 'zod';
import { defineCall } from '../core/call.ts';

/**
 * `mail`: mail arrived that is news. `change`: other mail, flags, tags, drafts or counters changed. `import`: an import went on.
 * `suspended`: the account was suspended, and the stream ends.
 */
export const EVENT_NAMES = ['mail', 'change', 'import', 'suspended'] as const;
export type EventName = (typeof EVENT_NAMES)[number];

export const eventsCalls = {
  stream: defineCall({
    method: 'GET',
    path: '/user/events',
    access: 'user',
    about:
      'Events as they happen: mail, change, import; suspended is the last one of an account that was suspended. The data of each is {"version": n}; what changed is asked for by the calls that tell.',
    input: z.object({}),
    output: z.object({}),
    transport: 'events',
  }),
} as const;
