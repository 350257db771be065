import { expect, test } from 'vitest';
import { findProvider, takesNoPassword } from './imap-providers.ts';

test('recognizes a provider by its domain, in any spelling', () => {
  expect(findProvider('ann@Gmail.com ')).toMatchObject({ host: 'imap.gmail.com', wantsAppPassword: true });
  expect(findProvider('ann@hotmail.fr')?.name).toBe('Outlook');
  expect(findProvider('ann@web.de')).toMatchObject({ host: 'imap.web.de', wantsAppPassword: false });
});

test('suggests the usual host name for an unknown provider once there is a domain', () => {
  expect(findProvider('ann@mail.example.org')).toEqual({
    name: '',
    host: 'imap.mail.example.org',
    wantsAppPassword: false,
  });
  for (const text of ['', 'ann', 'ann@', 'ann@example', 'ann@exa mple.org', 'ann@.org'])
    expect(findProvider(text)).toBeNull();
});

test('recognizes servers that accept no password, whatever the address', () => {
  expect(takesNoPassword(findProvider('ann@hotmail.fr')?.host ?? '')).toBe(true);
  expect(takesNoPassword(' IMAP-mail.Outlook.com ')).toBe(true);
  for (const host of ['', 'imap.gmail.com', 'outlook.com.example.org', 'myoutlook.com'])
    expect(takesNoPassword(host)).toBe(false);
});
