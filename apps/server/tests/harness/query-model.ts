/**
 * A mailbox of a fixed shape and the expected results of queries, computed by checking every
 * message. Tests compare the server's results with it. The model shares no code with the server's
 * queries.
 */
import fc from 'fast-check';
import { FLAG_BITS, type Flag, toMask } from '../../src/base/flags.ts';
import type { Db } from '../../src/db/pool.ts';
import { changeFlags, replaceTags, storeMails } from '../../src/features/mailbox/messages/index.ts';
import { insertTestTag, makeNewMail } from './mailbox.ts';

const base64 = (text: string): string => Buffer.from(text, 'utf8').toString('base64');

export type ModelMail = {
  readonly id: string;
  readonly receivedAt: number;
  readonly flags: ReadonlySet<Flag>;
  readonly tags: readonly string[];
  readonly address: string;
  readonly people: string;
  readonly messageId: string;
  readonly threadId: string;
};

export const ADDRESSES = ['me@keyfold.test', 'alias@keyfold.test'];
const PEOPLE = [
  'Ann Example <ann@example.org>',
  '=?utf-8?B?0JjQstCw0L0g0J/QtdGC0YDQvtCy?= <ivan@example.ru>',
  '"100% Off_Sale" <shop@example.com>',
  '=?utf-8?Q?M=C3=BCller=2C_J=C3=BCrgen?= <jm@example.de>',
];
const SPOKEN = [
  'ann example ann@example.org',
  'иван петров ivan@example.ru',
  '100% off_sale shop@example.com',
  'müller, jürgen jm@example.de',
];
export const model: ModelMail[] = [];

/** Stores the model's messages for a user. */
export async function fillModel(db: Db, userId: string): Promise<void> {
  const tagIds = new Map([
    ['work', await insertTestTag(db, userId, 'work')],
    ['home', await insertTestTag(db, userId, 'home')],
    ['empty', await insertTestTag(db, userId, 'empty')],
  ]);
  // A fixed sequence of numbers, so that the mailbox is the same in every run.
  let seed = 12345;
  const random = (below: number) => {
    seed = (seed * 1103515245 + 12345) % 2 ** 31;
    return Math.floor((seed / 2 ** 31) * below);
  };
  const start = Date.UTC(2026, 0, 1);
  const snoozed: string[] = [];
  for (let n = 0; n < 160; n++) {
    const chance = (name: Flag, percent: number) => [name, random(100) < percent] as const;
    const flags = Object.fromEntries([
      chance('read', 60),
      chance('starred', 15),
      chance('archived', 25),
      chance('deleted', 10),
      chance('draft', 5),
      chance('flagged', 8),
      chance('sent', 20),
      chance('public', 50),
      chance('snoozed', 12),
      chance('scheduled', 8),
      chance('attachment', 25),
    ]);
    const who = random(PEOPLE.length);
    const root = random(60);
    const address = ADDRESSES[random(4) === 0 ? 1 : 0] ?? '';
    const messageId = `<m${n}@example.org>`;
    // Some messages share a time, so that their ids must decide the order.
    const receivedAt = new Date(start + (n - (n % 3)) * 60_000);
    await db.transaction().execute(async trx => {
      const mail = makeNewMail(userId, {
        from: PEOPLE[who] ?? '',
        ownAddress: address,
        messageId,
        references: [`<root${root}@example.org>`],
        receivedAt,
      });
      const [stored] = await storeMails(trx, [{ ...mail, flags: toMask({ ...flags, snoozed: false }) }]);
      if (stored === undefined) throw new Error('not stored');
      const tags = [...tagIds.keys()].filter(name => name !== 'empty' && random(100) < 35);
      await replaceTags(
        trx,
        userId,
        [stored.id],
        tags.map(name => tagIds.get(name) ?? ''),
      );
      if (flags.deleted)
        await changeFlags(trx, userId, [stored.id], { flags: { deleted: true }, deletedAt: new Date() });
      if (flags.snoozed) snoozed.push(stored.id);
      model.push({
        id: stored.id,
        receivedAt: receivedAt.getTime(),
        flags: new Set(Object.keys(FLAG_BITS).filter(name => flags[name]) as Flag[]),
        tags,
        address,
        people: SPOKEN[who] ?? '',
        messageId,
        threadId: `root${root}`,
      });
    });
  }
  // Last, because a new message in a conversation ends the snooze of its messages.
  await db
    .transaction()
    .execute(trx =>
      changeFlags(trx, userId, snoozed, { flags: { snoozed: true }, snoozedUntil: new Date() }),
    );
}

export type Filter = {
  readonly flags: Partial<Record<Flag, boolean>>;
  readonly address?: string | undefined;
  readonly tag?: readonly string[] | undefined;
  readonly search?: string | undefined;
  readonly messageId?: string | undefined;
  readonly threading?: boolean | undefined;
};

export const newestFirst = (a: ModelMail, b: ModelMail): number =>
  b.receivedAt - a.receivedAt || (a.id < b.id ? 1 : -1);

/** Returns the expected result of a query, computed by checking every message. */
export function expected(filter: Filter): ModelMail[] {
  const named = model.find(mail => mail.messageId.replace(/[<>]/g, '') === filter.messageId);
  const found = model
    .filter(mail =>
      Object.entries(filter.flags).every(([name, value]) => mail.flags.has(name as Flag) === value),
    )
    .filter(mail => filter.address === undefined || mail.address === filter.address)
    .filter(mail => (filter.tag ?? []).every(tag => mail.tags.includes(tag)))
    .filter(mail => filter.search === undefined || `${mail.people}\nme@keyfold.test`.includes(filter.search))
    .filter(mail => {
      if (filter.messageId === undefined) return true;
      return filter.threading ? mail.threadId === named?.threadId : mail === named;
    })
    .sort(newestFirst);
  if (!filter.threading || filter.messageId !== undefined) return found;
  const seen = new Set<string>();
  return found.filter(mail => !seen.has(mail.threadId) && seen.add(mail.threadId));
}

export const toInput = ({ flags, search, messageId, ...rest }: Filter): Record<string, unknown> => ({
  ...flags,
  ...Object.fromEntries(Object.entries(rest).filter(([, value]) => value !== undefined)),
  ...(search === undefined ? {} : { search: base64(search) }),
  ...(messageId === undefined ? {} : { message_id: base64(messageId) }),
});

export const anyFilter: fc.Arbitrary<Filter> = fc.record({
  flags: fc.dictionary(fc.constantFrom(...(Object.keys(FLAG_BITS) as Flag[])), fc.boolean(), { maxKeys: 4 }),
  address: fc.option(fc.constantFrom(...ADDRESSES, 'nobody@keyfold.test'), { nil: undefined, freq: 3 }),
  tag: fc.option(
    fc.constantFrom(['work'], ['home'], ['work', 'home'], ['empty'], ['unknown'], ['work', 'unknown']),
    { nil: undefined, freq: 2 },
  ),
  search: fc.option(
    fc.constantFrom('ann', 'иван', '100%', 'off_sale', 'müller', 'x_y', '%', 'keyfold', 'example'),
    {
      nil: undefined,
      freq: 3,
    },
  ),
  messageId: fc.option(fc.constantFrom('m1@example.org', 'm77@example.org', 'none@example.org'), {
    nil: undefined,
    freq: 5,
  }),
  threading: fc.option(fc.boolean(), { nil: undefined }),
});

/** Parameters of a list besides its filter; `after` is a position in the model. */
export const anyPage = fc.record({
  count: fc.integer({ min: 1, max: 200 }),
  skip: fc.integer({ min: 0, max: 60 }),
  after: fc.option(fc.integer({ min: 0, max: 159 }), { nil: undefined, freq: 2 }),
  view: fc.constantFrom('full', 'summary'),
});
