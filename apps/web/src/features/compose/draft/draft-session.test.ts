// Creates a draft exactly once, even if responses are lost.
import { api } from '@keyfold/contract';
import { CallError } from '@keyfold/contract/client';
import { expect, test, vi } from 'vitest';
import { createDraftSession } from './draft-session.ts';
import type { DraftState } from './draft-state.ts';

const server = vi.hoisted(() => ({
  calls: [] as { draftId: string | undefined; key: string | undefined }[],
  answer: (_draftId: string | undefined): string => '',
  removed: [] as string[],
  copies: [] as string[],
}));

vi.mock('../../../crypto/key-client.ts', () => ({
  callback: (work: unknown) => work,
  keys: () => ({ sealDraft: async () => ({}), closeDraft: async () => undefined }),
}));
vi.mock('./local-copies.ts', () => ({
  keepCopy: async ({ subject }: DraftState) => server.copies.push(`kept ${subject}`) > 0,
  dropCopy: async () => void server.copies.push('dropped'),
}));
vi.mock('./draft-locks.ts', () => ({ holdDraft: async () => null }));
vi.mock('../../../session/calls/clients/mail.ts', () => ({
  mailClient: { remove: async ({ email_id }: { email_id: string }) => void server.removed.push(email_id) },
}));
vi.mock('../../../session/calls/clients/sending.ts', () => ({
  sendingClient: {
    empty: async (_wrap: unknown, options: { headers: Record<string, string> }) => ({
      data: { draft_id: `made under ${options.headers['idempotency-key']}` },
    }),
    draft: async (
      { draft_id: draftId }: { draft_id?: string },
      options?: { headers?: Record<string, string> },
    ) => {
      server.calls.push({ draftId, key: options?.headers?.['idempotency-key'] });
      return { data: { draft_id: server.answer(draftId) } };
    },
  },
}));

const mail = (draftId: string | null) =>
  ({
    handle: 'handle',
    from: { name: '', address: 'ann@keyfold.test' },
    to: [],
    cc: [],
    bcc: [],
    subject: 'Words',
    text: 'Words.',
    html: '',
    isFormatted: false,
    quote: null,
    signatureId: null,
    signatureText: '',
    inReplyTo: null,
    references: [],
    files: [],
    draftId,
    save: { kind: 'changed' },
    phase: 'writing',
    wait: null,
    sendError: null,
  }) satisfies DraftState;

const failure = (status: number, code: string) =>
  new CallError(api.sending.draft, { status, code, message: '' });

test('a draft deleted elsewhere is recreated under one key, even if the response is lost', async () => {
  let isLost = true;
  server.answer = draftId => {
    if (draftId !== undefined) throw failure(404, 'not_found');
    if (isLost) throw failure(0, 'no_answer');
    return 'new';
  };
  const session = createDraftSession(mail('gone'), null);
  await session.saveNow();
  expect(session.state().save.kind).toBe('failed');
  isLost = false;
  await session.saveNow();
  expect(session.state()).toMatchObject({ draftId: 'new', save: { kind: 'saved' } });
  expect(server.calls).toEqual([
    { draftId: 'gone', key: undefined },
    { draftId: undefined, key: 'handle' },
    { draftId: 'gone', key: undefined },
    { draftId: undefined, key: 'handle' },
  ]);
  await session.finish();
});

test('discarding also deletes a draft whose creation got no response', async () => {
  server.answer = () => {
    throw failure(0, 'no_answer');
  };
  const wrap = Promise.resolve({ encrypted_key: '', salt: '', key_used: '' });
  const session = createDraftSession(mail(null), wrap);
  await session.saveNow();
  await session.discard();
  expect(server.removed).toEqual(['made under handle']);
});

test('discarding a draft that was never saved deletes nothing', async () => {
  server.removed.length = 0;
  const wrap = Promise.resolve({ encrypted_key: '', salt: '', key_used: '' });
  await createDraftSession(mail(null), wrap).discard();
  expect(server.removed).toEqual([]);
});

test('closing a draft stores a local copy before the server has its last text', async () => {
  server.copies.length = 0;
  const atSave: string[][] = [];
  server.answer = () => {
    atSave.push([...server.copies]);
    return 'saved';
  };
  const session = createDraftSession(mail('saved'), null);
  session.change({ subject: 'Last words' });
  await session.close();
  expect(atSave).toEqual([['kept Last words']]);
  expect(server.copies.at(-1)).toBe('dropped');
});
