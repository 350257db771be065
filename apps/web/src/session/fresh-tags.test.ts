// When the user's tags are fetched again. The server is a stub of the browser's fetch.
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
/** Tags in the form of the counts response. */
const counted = (...tags: User['tags']) =>
  Object.fromEntries(tags.map(({ name, color }) => [name, { color }]));
const withTags = (...tags: User['tags']) => Response.json({ success: true, data: { ...user, tags } });

test('a tag created or removed on another device is updated here, with its color', async () => {
  answer = () => withTags(bills, trips);
  await freshenTags(counted(bills, trips));
  expect(findUser()?.tags).toEqual([bills, trips]);
  answer = () => withTags(trips);
  await freshenTags(counted(trips));
  expect(namesOf()).toEqual(['Trips']);
});

test('a color changed on another device is updated here', async () => {
  const darker = { name: 'Bills', color: 'gray' } as const;
  answer = () => withTags(darker);
  await freshenTags(counted(darker));
  expect(findUser()?.tags).toEqual([darker]);
});

test('tags are not fetched when names and colors are unchanged or no user is signed in', async () => {
  await freshenTags(counted(bills));
  setUser(null);
  await freshenTags(counted(trips));
  expect(asked).toEqual([]);
});

test('a result overtaken by a local change is dropped, and a failed fetch changes nothing', async () => {
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
