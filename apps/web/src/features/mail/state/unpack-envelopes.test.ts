// Text extracted from an Outlook envelope reaches the rows of its message, next to the people that
// the server reported.
import type { Email } from '@keyfold/contract';
import { parseMessage } from '@keyfold/mail/mime/parse';
import { expect, test, vi } from 'vitest';
import type { OpenedMail } from '../../../crypto/mail/mail-opener.ts';
import { unpackEnvelopes } from './unpack-envelopes.ts';

const mendSnippet = vi.hoisted(() => vi.fn(async (_mail: unknown, _bodies: unknown) => null));
vi.mock('../../../crypto/key-client.ts', () => ({ keys: () => ({ mendSnippet }) }));
vi.mock('../../../crypto/mail/containers-client.ts', () => ({
  unpackEnvelopeFile: async () => ({
    kind: 'opened',
    value: { text: null, html: '<p>Here is the offer.</p>', files: [] },
  }),
}));
vi.mock('./attachments.ts', () => ({ openMailFile: async () => new Blob(['x']) }));

const packed =
  'From: ann@firm.example\r\nSubject: Offer\r\nContent-Type: application/ms-tnef; name=winmail.dat\r\nContent-Transfer-Encoding: base64\r\n\r\neJ8+IgA=\r\n';

test('a row is corrected with the stored sender and without sending the body again', async () => {
  const parsed = await parseMessage(new TextEncoder().encode(packed));
  const headers = 'From: Spy <spy@elsewhere.example>\r\n';
  const mail = { id: crypto.randomUUID(), headers, from: 'spy@elsewhere.example', body: 'c2VhbGVk' } as Email;
  const content: OpenedMail = { kind: 'mail', parsed, failed: null, path: 'self' };
  expect((await unpackEnvelopes(mail, content)).parsed.html).toBe('<p>Here is the offer.</p>');
  expect(mendSnippet).toHaveBeenCalledExactlyOnceWith(
    { ...mail, body: null },
    { text: null, html: '<p>Here is the offer.</p>' },
  );
});

test('a message that does not name its own sender is not corrected', async () => {
  mendSnippet.mockClear();
  const parsed = await parseMessage(new TextEncoder().encode(packed));
  const content: OpenedMail = { kind: 'mail', parsed, failed: null, path: null };
  await unpackEnvelopes({ id: '1', headers: '' } as Email, content);
  expect(mendSnippet).not.toHaveBeenCalled();
});
