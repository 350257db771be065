import { expect, test } from 'vitest';
import type { Deps } from '../../context/deps.ts';
import { findMxHosts } from './mx-hosts.ts';

const dnsOf = (records: readonly { exchange: string; priority: number }[]) =>
  ({ ask: async () => ({ records, isSecure: true }) }) as unknown as Deps['dns'];

test('only the most preferred hosts of a huge MX answer are used', async () => {
  const records = Array.from({ length: 3_000 }, (_, index) => ({
    exchange: `m${index}.example`,
    priority: 3_000 - index,
  }));
  const { hosts } = await findMxHosts(dnsOf(records), 'example');
  expect(hosts.map(({ priority }) => priority)).toEqual(Array.from({ length: 20 }, (_, index) => index + 1));
});

test('an MX record that is not a host name is skipped', async () => {
  const names = ['Mail.Example.', 'a\0b.example', 'a b.example', 'ü.example', 'caf_e.example'];
  const records = names.map((exchange, priority) => ({ exchange, priority }));
  const { hosts } = await findMxHosts(dnsOf(records), 'example');
  expect(hosts.map(({ exchange }) => exchange)).toEqual(['mail.example', 'caf_e.example']);
});

test('a domain with a null MX accepts no mail', async () => {
  await expect(findMxHosts(dnsOf([{ exchange: '.', priority: 0 }]), 'example')).rejects.toThrow(
    'The domain does not accept mail',
  );
});
