import { expect, test } from 'vitest';
import type { KnownKeys } from '../../../session/trust/recipient-keys.ts';
import { type DraftEvent, isActive, isOver, reduceDraft } from './draft-machine.ts';
import type { DraftPhase, DraftState, Wait } from './draft-state.ts';

const draft: DraftState = {
  handle: 'handle',
  from: { name: '', address: 'ann@keyfold.test' },
  to: [],
  cc: [],
  bcc: [],
  subject: '',
  text: '',
  html: '',
  isFormatted: false,
  quote: null,
  signatureId: null,
  signatureText: '',
  inReplyTo: null,
  references: [],
  files: [],
  draftId: null,
  save: { kind: 'new' },
  phase: 'writing',
  wait: null,
  sendError: null,
};

const wait: Wait = { inTwoCopies: false, at: null, agreed: {}, sendKeys: ['a', 'b'], wasTried: false };
const after = (start: Partial<DraftState>, ...events: DraftEvent[]): DraftState =>
  events.reduce(reduceDraft, { ...draft, ...start });
const phaseAfter = (phase: DraftPhase, ...events: DraftEvent[]): DraftPhase =>
  after({ phase }, ...events).phase;

const written: DraftEvent = { kind: 'written', fields: { subject: 'Words' } };
const begun: DraftEvent = { kind: 'sendBegun' };
const sent: DraftEvent = { kind: 'sent' };
const recalled: DraftEvent = { kind: 'recalled' };
const failed: DraftEvent = { kind: 'sendFailed', text: 'Refused', isOffline: false };
const unanswered: DraftEvent = { kind: 'sendFailed', text: 'No answer', isOffline: true };

test('what is written has to be saved, what the editor restates does not', () => {
  expect(after({}, written)).toMatchObject({ subject: 'Words', save: { kind: 'changed' } });
  expect(after({}, { kind: 'adopted', fields: { html: '<p></p>' } })).toMatchObject({
    html: '<p></p>',
    save: { kind: 'new' },
  });
});

test('a save under way stays one while somebody types', () => {
  expect(after({}, { kind: 'saveBegun' }, written).save.kind).toBe('saving');
});

test('what another tab has, or what is over, is not marked as unsaved', () => {
  for (const phase of ['elsewhere', 'sent', 'closed'] as const)
    expect(after({ phase }, written).save.kind).toBe('new');
  expect(after({ phase: 'sending' }, written).save.kind).toBe('changed');
});

test('an event that changes nothing gives the same state', () => {
  const state = after({}, written);
  expect(reduceDraft(state, { kind: 'touched' })).toBe(state);
});

test('saving goes from changed to saved, or says why not', () => {
  const at = new Date(0);
  expect(
    after({}, written, { kind: 'saveBegun' }, { kind: 'stored', draftId: 'one' }, { kind: 'saved', at }),
  ).toMatchObject({ draftId: 'one', save: { kind: 'saved', at } });
  expect(after({}, { kind: 'saveFailed', reason: 'offline', isKept: true }).save).toEqual({
    kind: 'failed',
    reason: 'offline',
    isKept: true,
  });
});

test('recipients keep the keys that are known when others are added', () => {
  const bob = { person: { name: '', address: 'bob@keyfold.test' }, isInvalid: false };
  const eve = { person: { name: '', address: 'eve@keyfold.test' }, isInvalid: false };
  const keys = { email: 'bob@keyfold.test', digest: 'a' } as KnownKeys;
  const state = after(
    {},
    { kind: 'addressed', field: 'to', people: [bob] },
    { kind: 'keysFound', found: new Map([['bob@keyfold.test', keys]]), names: new Map() },
    { kind: 'addressed', field: 'to', people: [bob, eve] },
  );
  expect(state.to.map(one => one.keys)).toEqual([keys, null]);
  expect(state.save.kind).toBe('changed');
});

test('an address without a name gets the name of its contact, and a written name stays', () => {
  const addressed = (name: string) =>
    after(
      {},
      {
        kind: 'addressed',
        field: 'cc',
        people: [{ person: { name, address: 'bob@keyfold.test' }, isInvalid: false }],
      },
      { kind: 'keysFound', found: new Map(), names: new Map([['bob@keyfold.test', 'Bob Brandt']]) },
    ).cc.map(one => one.person.name);
  expect(addressed('')).toEqual(['Bob Brandt']);
  expect(addressed('Bobby')).toEqual(['Bobby']);
});

test('an address keeps its name when its keys are asked for again, or a retry would be another message', () => {
  const address = 'bob@keyfold.test';
  const found = new Map([[address, { email: address, digest: 'a' } as KnownKeys]]);
  const state = after(
    {},
    {
      kind: 'addressed',
      field: 'to',
      people: [{ person: { name: '', address }, isInvalid: false }],
    },
    { kind: 'keysFound', found, names: new Map() },
    { kind: 'keysFound', found, names: new Map([[address, 'Bob Brandt']]) },
  );
  expect(state.to.map(one => one.person.name)).toEqual(['']);
});

test('a message is sent, recalled and closed', () => {
  expect(phaseAfter('writing', begun)).toBe('sending');
  expect(phaseAfter('writing', begun, sent)).toBe('sent');
  expect(phaseAfter('writing', begun, sent, recalled)).toBe('writing');
  expect(phaseAfter('writing', begun, sent, { kind: 'closed' })).toBe('closed');
});

test('a refused message is a draft again and says why', () => {
  expect(after({ wait }, begun, failed)).toMatchObject({
    phase: 'writing',
    wait: null,
    sendError: 'Refused',
  });
});

test('a waiting message goes on waiting while there is no connection, and is known to have been tried', () => {
  expect(after({ wait }, begun, { kind: 'sendTried' }, unanswered)).toMatchObject({
    phase: 'writing',
    wait: { ...wait, wasTried: true },
    sendError: null,
  });
  expect(after({}, begun, unanswered)).toMatchObject({ wait: null, sendError: 'No answer' });
});

test('a draft that another tab took stays there, however the send under way ends', () => {
  const yielded: DraftEvent = { kind: 'yielded' };
  expect(phaseAfter('writing', begun, yielded, failed)).toBe('elsewhere');
  expect(phaseAfter('writing', begun, yielded, sent)).toBe('elsewhere');
  expect(phaseAfter('writing', begun, sent, yielded, recalled)).toBe('elsewhere');
  expect(phaseAfter('elsewhere', begun)).toBe('elsewhere');
});

test('a closed draft stays closed when its send fails, and can be recalled when it went out', () => {
  const closed: DraftEvent = { kind: 'closed' };
  expect(phaseAfter('writing', begun, closed, failed)).toBe('closed');
  expect(phaseAfter('writing', begun, closed, sent, recalled)).toBe('writing');
  expect(phaseAfter('closed', { kind: 'yielded' })).toBe('closed');
});

test('holding shows the reason, and ending the wait keeps it', () => {
  const held = after({}, { kind: 'held', wait, reason: 'Look' });
  expect(held).toMatchObject({ wait, sendError: 'Look' });
  expect(reduceDraft(held, { kind: 'waitEnded' })).toMatchObject({ wait: null, sendError: 'Look' });
});

test('saves and copies are made while writing and sending, and a session ends once', () => {
  const phases: DraftPhase[] = ['writing', 'sending', 'sent', 'elsewhere', 'closed'];
  expect(phases.filter(isActive)).toEqual(['writing', 'sending']);
  expect(phases.filter(isOver)).toEqual(['sent', 'closed']);
});
