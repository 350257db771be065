// A scheduled message is sent immediately only to the agreed recipients with the agreed encryption;
// otherwise the user reviews it first.
import { beforeEach, expect, test, vi } from 'vitest';
import type { KnownKeys } from '../../../session/trust/recipient-keys.ts';
import type { Addressee, DraftState } from '../draft/draft-state.ts';
import { keepSchedule } from '../draft/scheduled-record.ts';
import { sendScheduledNow } from './scheduled-drafts.ts';

const room = vi.hoisted(() => ({
  records: [] as { id: string; sealed: string }[],
  date: '',
  session: {} as Record<string, unknown>,
  shown: [] as unknown[],
}));
vi.mock('../../../crypto/key-client.ts', () => ({
  keys: () => ({
    sealOwnRecord: async (kind: string, id: string, value: unknown) => ({
      sealed: JSON.stringify([kind, id, value]),
      key_used: 'own',
    }),
    openRecord: async (kind: string, id: string, sealed: string) => {
      const [sealedKind, sealedId, value] = JSON.parse(sealed);
      if (sealedKind !== kind || sealedId !== id) throw new Error('Failed to decrypt message');
      return value;
    },
    openMail: async () => ({ parsed: { to: [], cc: [], bcc: [], date: room.date } }),
  }),
}));
vi.mock('../../../session/calls/clients/mail.ts', () => ({
  mailClient: { one: async () => ({ data: {} }) },
}));
vi.mock('../../../session/calls/clients/records.ts', () => ({
  recordsClient: {
    list: async () => ({ data: room.records }),
    save: async (one: { id: string; sealed: string }) => void room.records.push(one),
  },
}));
vi.mock('../../../session/calls/clients/sending.ts', () => ({
  sendingClient: { unsend: async () => ({ data: { draft_id: 'x1' } }) },
}));
vi.mock('../windows/open-drafts.ts', () => ({
  startStored: async () => room.session,
  showDraft: (session: unknown) => void room.shown.push(session),
}));

const at = new Date('2026-05-04T08:00:00.123Z');
const bobKeys = { email: 'bob@keyfold.test', digest: 'a' } as KnownKeys;
const somebody = (address: string, keys: KnownKeys | null): Addressee => ({
  person: { name: '', address },
  keys,
  isInvalid: false,
});
const messageTo = (to: readonly Addressee[], bcc: readonly Addressee[]) =>
  ({
    to,
    cc: [],
    bcc,
    files: [],
    html: null,
    quote: null,
    phase: 'writing',
  }) as unknown as DraftState;

/**
 * Simulates a recall with the content of the recalled message and the current keys of all
 * recipients. Returns what was sent.
 */
function recalled(draft: DraftState, keysNow: Readonly<Record<string, KnownKeys>>) {
  let state = draft;
  const sent: string[][] = [];
  const known = (list: readonly Addressee[]) =>
    list.map(one => ({ ...one, keys: keysNow[one.person.address] ?? null }));
  room.session = {
    state: () => state,
    setPeople: (kind: string, people: readonly Omit<Addressee, 'keys'>[]) => {
      state = { ...state, [kind]: people.map(one => ({ ...one, keys: null })) };
    },
    lookUp: async () => {
      state = { ...state, to: known(state.to), cc: known(state.cc), bcc: known(state.bcc) };
    },
    hold: () => undefined,
    send: async () => sent.push([...state.to, ...state.bcc].map(({ person }) => person.address)),
    finish: async () => undefined,
  };
  return sent;
}

const bob = 'bob@keyfold.test';
const cat = 'cat@outside.test';
const everybodysKeys = { [bob]: bobKeys, [cat]: { email: cat, plaintext: true } as KnownKeys };
const unconfirmed = /^Couldn’t confirm the recipients/;

beforeEach(async () => {
  Object.assign(room, { records: [], shown: [], date: '2026-05-04T08:00:00.000Z' });
  const written = messageTo([somebody(bob, bobKeys)], [somebody(cat, everybodysKeys[cat] ?? null)]);
  await keepSchedule('x1', written, at);
});

test('a scheduled message is sent to all agreed recipients', async () => {
  const sent = recalled(messageTo([somebody(bob, null)], []), everybodysKeys);
  await sendScheduledNow('x1');
  expect([sent, room.shown]).toEqual([[[bob, cat]], []]);
});

test('a visible recipient added by the server holds the message for review, and an added Bcc is ignored', async () => {
  const spy = somebody('spy@keyfold.test', null);
  const keysNow = { ...everybodysKeys, 'spy@keyfold.test': { ...bobKeys, email: 'spy@keyfold.test' } };
  const more = recalled(messageTo([somebody(bob, null), spy], []), keysNow);
  await expect(sendScheduledNow('x1')).rejects.toThrow(unconfirmed);
  expect([more, room.shown]).toEqual([[], [room.session]]);
  // Bcc recipients in the recalled message itself are ignored.
  const hidden = recalled(messageTo([somebody(bob, null)], [spy]), keysNow);
  await sendScheduledNow('x1');
  expect(hidden).toEqual([[bob, cat]]);
});

test('a recipient whose keys are gone or changed holds the message for review', async () => {
  for (const [now, words] of [
    [{ email: bob, plaintext: true } as KnownKeys, /doesn’t support end-to-end encryption/],
    [{ ...bobKeys, digest: 'b' } as KnownKeys, /has changed/],
  ] as const) {
    const sent = recalled(messageTo([somebody(bob, null)], []), { ...everybodysKeys, [bob]: now });
    await expect(sendScheduledNow('x1')).rejects.toThrow(words);
    expect([sent, room.shown.at(-1)]).toEqual([[], room.session]);
  }
});

test('a message is not sent when its agreement is missing or belongs to another message', async () => {
  const sent = recalled(messageTo([somebody(bob, null)], []), everybodysKeys);
  room.date = '2026-05-05T08:00:00.000Z';
  await expect(sendScheduledNow('x1')).rejects.toThrow(unconfirmed);
  room.date = '2026-05-04T08:00:00.000Z';
  room.records = [];
  await expect(sendScheduledNow('x1')).rejects.toThrow(unconfirmed);
  expect(sent).toEqual([]);
});
