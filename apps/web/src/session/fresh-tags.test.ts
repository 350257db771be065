// When the user's tags are asked for again: the server is a stand-in for the browser's fetch.
import type { User } from '@keyfold/contract';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { freshenTags } from './fresh-tags.ts';
import { findUser, setUser, setUserTags } from './state/current-user.ts';

const bills = { name: 'Bills', color: 'mint' } as const;
const trips = { name: 'Trips', color: 'peach' } as const;
const base64 = (count: number): string => btoa('\0'.repeat(count));
const user: User = {
  email: 'ann@keyfold.test',
  kdf_email: 'ann@keyfold.test',
  name: 'Ann',
  role: { is_admin: false, admin_level: null },
  domains: [],
  addresses: ['ann@keyfold.test'],
  off_addresses: [],
  tags: [bills],
  totp_active: false,
  passkeys: 0,
  contacts: [],
  plan: 'free',
  plan_config: { domain_limit: 0, address_limit: 1, storage_limit: 1 },
  storage_used: 0,
  retired_keys: [],
  main_key: {
    mlkem_public_key: base64(1568),
    mlkem_private_key_encrypted: base64(92),
    dh_public_key: base64(32),
    dh_private_key_encrypted: base64(60),
    sent_key: base64(60),
    key_id: base64(20),
  },
  client_key: base64(32),
  recovery_at: null,
  recovery_shown_at: null,
};

let asked: string[];
let answer: () => Response;
beforeEach(() => {
  asked = [];
  vi.stubGlobal('fetch', async (path: string) => {
    asked.push(path);
    return answer();
  });
  setUser(user);
});
afterEach(() => {
  setUser(null);
  vi.unstubAllGlobals();
});
const namesOf = () => findUser()?.tags.map(({ name }) => name);
/** As counts name them. */
const counted = (...tags: User['tags']) =>
  Object.fromEntries(tags.map(({ name, color }) => [name, { color }]));
const withTags = (...tags: User['tags']) => Response.json({ success: true, data: { ...user, tags } });

test('a tag made on another device comes with its colour, and one removed there goes', async () => {
  answer = () => withTags(bills, trips);
  await freshenTags(counted(bills, trips));
  expect(findUser()?.tags).toEqual([bills, trips]);
  answer = () => withTags(trips);
  await freshenTags(counted(trips));
  expect(namesOf()).toEqual(['Trips']);
});

test('a colour that was changed on another device comes too', async () => {
  const darker = { name: 'Bills', color: 'gray' } as const;
  answer = () => withTags(darker);
  await freshenTags(counted(darker));
  expect(findUser()?.tags).toEqual([darker]);
});

test('nothing is asked while names and colours are the same, nor for nobody', async () => {
  await freshenTags(counted(bills));
  setUser(null);
  await freshenTags(counted(trips));
  expect(asked).toEqual([]);
});

test('an answer that is overtaken by a change made here is not used, and a failure changes nothing', async () => {
  answer = () => {
    setUserTags(tags => [...tags, trips]);
    return withTags(bills);
  };
  await freshenTags({});
  expect(namesOf()).toEqual(['Bills', 'Trips']);
  answer = () => new Response('', { status: 503 });
  await freshenTags({});
  expect(namesOf()).toEqual(['Bills', 'Trips']);
});
