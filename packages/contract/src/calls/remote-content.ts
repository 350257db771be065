/**
 * What the server fetches from other sites for a reader, so that those sites never see the reader: remote images of a
 * mail, and one-click unsubscribing (RFC 8058). Addresses travel in bodies, because URLs end in logs.
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
    about: 'The bytes of an image elsewhere; 422 when it is none, or lies at a private address.',
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
      'Posts List-Unsubscribe=One-Click for a mail to the https address of its List-Unsubscribe field; 422 for any other address, and when no signature covered the field (RFC 8058).',
    input: z.object({ email_id: id, url: webAddress }),
    output: nothing,
    timeoutMs: 30_000,
  }),
} as const;
