// A letter's draft is made once, whatever becomes of the answers.
import { api } from '@keyfold/contract';
import { CallError } from '@keyfold/contract/client';
import { beforeEach, describe, expect, test, vi } from 'vitest';
import { createDraftSession } from './draft-session.ts';
import type { DraftState } from './draft-state.ts';

const server = vi.hoisted(() => ({
  calls: [] as { draftId: string | undefined; key: string | undefined }[],
  answer: (_draftId: string | undefined): string => '',
  removed: [] as string[],
  /** The sealed summary of the stored draft. */
  stored: null as string | null,
  /** What is sealed next. */
  sealed: 'one',
  copies: [] as (readonly string[] | null)[],
  told: [] as string[],
}));

vi.mock('../../crypto/key-client.ts', () => ({
  callback: (work: unknown) => work,
  keys: () => ({
    sealDraft: async () => ({ summary: server.sealed }),
    closeDraft: async () => undefined,
  }),
}));
vi.mock('./local-copies.ts', () => ({
  keepCopy: async ({ versions }: DraftState) => server.copies.push(versions) > 0,
  dropCopy: async () => undefined,
}));
vi.mock('../../ui/toasts.ts', () => ({ showToast: ({ text }: { text: string }) => server.told.push(text) }));
vi.mock('./draft-locks.ts', () => ({ holdLetter: async () => null }));
vi.mock('../../session/client.ts', () => ({
  client: {
    mail: {
      remove: async ({ email_id }: { email_id: string }) => void server.removed.push(email_id),
      some: async () => ({ data: server.stored === null ? [] : [{ draft: true, summary: server.stored }] }),
    },
  },
}));
vi.mock('../../session/letters-client.ts', () => ({
  lettersClient: {
    sending: {
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
  },
}));

const letter = (draftId: string | null) =>
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
    isSending: false,
    wait: null,
    sendError: null,
    isElsewhere: false,
    versions: ['opened'],
    firstKey: 'handle',
  }) satisfies DraftState;

beforeEach(() => {
  server.calls.length = 0;
  server.copies.length = 0;
  server.told.length = 0;
  server.stored = null;
  server.answer = draftId => draftId ?? 'new';
});

const failure = (status: number, code: string) =>
  new CallError(api.sending.draft, { status, code, message: '' });

test('a draft that was removed elsewhere is made anew under one key, also when the answer of that is lost', async () => {
  let isLost = true;
  server.answer = draftId => {
    if (draftId !== undefined) throw failure(404, 'not_found');
    if (isLost) throw failure(0, 'no_answer');
    return 'new';
  };
  const session = createDraftSession(letter('gone'), null);
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

test('a letter that is discarded takes the draft along whose making was not answered', async () => {
  server.answer = () => {
    throw failure(0, 'no_answer');
  };
  const wrap = Promise.resolve({ encrypted_key: '', salt: '', key_used: '' });
  const session = createDraftSession(letter(null), wrap);
  await session.saveNow();
  await session.discard();
  expect(server.removed).toEqual(['made under handle']);
});

test('a letter that was never saved has nothing to remove', async () => {
  server.removed.length = 0;
  const wrap = Promise.resolve({ encrypted_key: '', salt: '', key_used: '' });
  await createDraftSession(letter(null), wrap).discard();
  expect(server.removed).toEqual([]);
});

describe('what was written here while nothing was heard of the server', () => {
  test('goes into the stored draft while nobody else wrote in it', async () => {
    server.stored = 'opened';
    const session = createDraftSession(letter('stored'), null);
    await session.saveNow();
    expect(server.calls).toEqual([{ draftId: 'stored', key: undefined }]);
    // The copy on this device knew of the version before it was sent.
    expect(server.copies.at(-1)).toEqual(['opened', 'one']);
    await session.finish();
  });

  test('goes there too when the last saving came and its answer did not', async () => {
    server.stored = 'one';
    const session = createDraftSession({ ...letter('stored'), versions: ['opened', 'one'] }, null);
    await session.saveNow();
    expect(server.calls).toEqual([{ draftId: 'stored', key: undefined }]);
    await session.finish();
  });

  test('goes into a draft of its own when another device wrote in the stored one', async () => {
    server.stored = 'another';
    const session = createDraftSession(letter('stored'), null);
    await session.saveNow();
    const { draftId, firstKey, versions } = session.state();
    expect(draftId).toBe('new');
    expect(server.calls).toEqual([{ draftId: undefined, key: firstKey }]);
    // Under the first one the server knows the draft that is left alone.
    expect(firstKey).not.toBe('handle');
    expect(versions).toEqual(['one']);
    expect(server.told).toHaveLength(1);
    await session.finish();
  });

  test('goes into the stored one where a copy of an older version does not say what it knew', async () => {
    server.stored = 'another';
    const session = createDraftSession({ ...letter('stored'), versions: null }, null);
    await session.saveNow();
    expect(server.calls).toEqual([{ draftId: 'stored', key: undefined }]);
    expect(session.state().versions).toEqual(['one']);
    await session.finish();
  });

  test('a draft that was saved a moment ago is not asked for', async () => {
    server.stored = 'another';
    const session = createDraftSession(
      { ...letter('stored'), save: { kind: 'saved', at: new Date() } },
      null,
    );
    await session.saveNow();
    expect(server.calls).toEqual([{ draftId: 'stored', key: undefined }]);
    await session.finish();
  });
});
