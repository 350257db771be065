/**
 * Content the server fetches from other sites on the reader's behalf, so that those sites never see
 * the reader: remote images of a message, and one-click unsubscribe (RFC 8058). Addresses travel in
 * bodies because URLs are logged.
 */
import { z } from 'zod';
import { defineCall } from '../core/call.ts';
import { nothing } from '../core/envelope.ts';
import { id } from '../core/fields.ts';

const webAddress = z.string().min(8).max(4096);

export const remoteContentCalls = {
  image: defineCall({
    method: 'POST',
    path: '/user/image',
    access: 'user',
    about: 'The content of a remote image; 422 if it is not an image or its address is private.',
    input: z.object({ url: webAddress }),
    output: z.object({}),
    transport: 'download',
    timeoutMs: 30_000,
  }),
  unsubscribe: defineCall({
    method: 'POST',
    path: '/user/unsubscribe',
    access: 'user',
    about:
      'Posts List-Unsubscribe=One-Click for a message to the https URL of its List-Unsubscribe field; 422 for any other URL, and if no signature covers the field (RFC 8058).',
    input: z.object({ email_id: id, url: webAddress }),
    output: nothing,
    timeoutMs: 30_000,
  }),
} as const;
