import { expect, test, vi } from 'vitest';
import { pageCommands } from './page-commands.ts';
import { entriesOfCommands, paletteGroups } from './palette-entries.ts';

const find = (typed: string, isAdmin = false): string[] =>
  paletteGroups(entriesOfCommands(pageCommands(isAdmin, () => undefined)), typed, []).flatMap(({ items }) =>
    items.map(({ title }) => title),
  );

test.each([
  ['appearance', 'Settings: Appearance'],
  ['time zone', 'Settings: Account'],
  ['contacts', 'Settings: Contacts'],
  ['two-factor', 'Security: Two-factor authentication'],
  ['sessions', 'Security: Sessions'],
  ['blocked senders', 'Security: Spam and senders'],
  ['recovery', 'Security: Recovery kit'],
])('%s finds %s first', (typed, title) => {
  expect(find(typed)[0]).toBe(title);
});

test('admin pages are offered only to admins', () => {
  expect(find('audit log')).not.toContain('Admin: Audit log');
  expect(find('audit log', true)[0]).toBe('Admin: Audit log');
  expect(find('user management', true)[0]).toBe('Admin: User Management');
});

test('each page appears once, leads to its address, and is hidden until the user types', () => {
  const go = vi.fn();
  const commands = pageCommands(true, go);
  expect(new Set(commands.map(({ id }) => id)).size).toBe(commands.length);
  commands.find(({ title }) => title === 'Security: Keys')?.run();
  expect(go).toHaveBeenCalledWith('/app/security/keys');
  expect(find('', true)).toEqual([]);
});
