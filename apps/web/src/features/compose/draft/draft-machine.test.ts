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
const unanswered: DraftEvent = { kind: 'sendFailed', text: 'No response', isOffline: true };

test('user edits mark the draft as changed, and values that the editor restates do not', () => {
  expect(after({}, written)).toMatchObject({ subject: 'Words', save: { kind: 'changed' } });
  expect(after({}, { kind: 'adopted', fields: { html: '<p></p>' } })).toMatchObject({
    html: '<p></p>',
    save: { kind: 'new' },
  });
});

test('typing does not interrupt a running save', () => {
  expect(after({}, { kind: 'saveBegun' }, written).save.kind).toBe('saving');
});

test('a draft that is open elsewhere or finished is not marked as unsaved', () => {
  for (const phase of ['elsewhere', 'sent', 'closed'] as const)
    expect(after({ phase }, written).save.kind).toBe('new');
  expect(after({ phase: 'sending' }, written).save.kind).toBe('changed');
});

test('an event that changes nothing returns the same state', () => {
  const state = after({}, written);
  expect(reduceDraft(state, { kind: 'touched' })).toBe(state);
});

test('a save goes from changed to saved, or states why it failed', () => {
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

test('recipients keep their known keys when others are added', () => {
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

test('an address without a name gets the name of its contact, and a typed name stays', () => {
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

test('an address keeps its name when keys are looked up again, so that a retry sends the same message', () => {
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

test('a refused message becomes a draft again and shows the reason', () => {
  expect(after({ wait }, begun, failed)).toMatchObject({
    phase: 'writing',
    wait: null,
    sendError: 'Refused',
  });
});

test('a waiting message keeps waiting while offline, and is marked as tried', () => {
  expect(after({ wait }, begun, { kind: 'sendTried' }, unanswered)).toMatchObject({
    phase: 'writing',
    wait: { ...wait, wasTried: true },
    sendError: null,
  });
  expect(after({}, begun, unanswered)).toMatchObject({ wait: null, sendError: 'No response' });
});

test('a draft that another tab took over stays there, however the pending send ends', () => {
  const yielded: DraftEvent = { kind: 'yielded' };
  expect(phaseAfter('writing', begun, yielded, failed)).toBe('elsewhere');
  expect(phaseAfter('writing', begun, yielded, sent)).toBe('elsewhere');
  expect(phaseAfter('writing', begun, sent, yielded, recalled)).toBe('elsewhere');
  expect(phaseAfter('elsewhere', begun)).toBe('elsewhere');
});

test('a closed draft stays closed when sending fails, and can be recalled after it was sent', () => {
  const closed: DraftEvent = { kind: 'closed' };
  expect(phaseAfter('writing', begun, closed, failed)).toBe('closed');
  expect(phaseAfter('writing', begun, closed, sent, recalled)).toBe('writing');
  expect(phaseAfter('closed', { kind: 'yielded' })).toBe('closed');
});

test('holding a message shows the reason, and ending the wait keeps it', () => {
  const held = after({}, { kind: 'held', wait, reason: 'Look' });
  expect(held).toMatchObject({ wait, sendError: 'Look' });
  expect(reduceDraft(held, { kind: 'waitEnded' })).toMatchObject({ wait: null, sendError: 'Look' });
});

test('a draft is active while writing and sending, and over once sent or closed', () => {
  const phases: DraftPhase[] = ['writing', 'sending', 'sent', 'elsewhere', 'closed'];
  expect(phases.filter(isActive)).toEqual(['writing', 'sending']);
  expect(phases.filter(isOver)).toEqual(['sent', 'closed']);
});
