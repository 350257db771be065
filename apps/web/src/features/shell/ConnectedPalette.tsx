// The palette with the entries of this mailbox: tags to go to, people whose mail is in the lists,
// the search, the theme, and the pages of settings, security and console.
import { type QueryClient, useQueryClient } from '@tanstack/react-query';
import { useCallback, useMemo } from 'react';
import { t } from '../../lib/language.ts';
import { mailPath, recieved } from '../../paths.ts';
import { hashOf } from '../../search-address.ts';
import type { Command, OwnCommand } from '../../session/commands/commands.ts';
import { useUser } from '../../session/state/current-user.ts';
import { setThemeMode } from '../../theme/theme-mode.ts';
import { openComposer } from '../compose/windows/composers.ts';
import { isPresent, listsKey, type MailPages } from '../mail/state/mail-cache.ts';
import type { PaletteCall } from './CommandLayer.tsx';
import { CommandPalette } from './CommandPalette.tsx';
import { pageCommands } from './page-commands.ts';
import type { Person } from './palette-entries.ts';

/** Maximum number of people that are searched. */
const PEOPLE_MAX = 500;

/** Returns the senders of the loaded messages without duplicates, newest first. */
function peopleIn(cache: QueryClient, own: string): Person[] {
  const people = new Map<string, Person>();
  for (const [, pages] of cache.getQueriesData<MailPages>({ queryKey: listsKey }))
    for (const { rows } of pages?.pages ?? [])
      for (const { opened, mail } of rows.filter(isPresent)) {
        const address = mail.from.toLowerCase();
        if (people.size >= PEOPLE_MAX || address === own || people.has(address)) continue;
        people.set(address, { name: opened.summary.from?.name ?? '', address: mail.from });
      }
  return [...people.values()];
}

type ConnectedPaletteProps = {
  call: PaletteCall | null;
  text: string;
  onTextChange: (text: string) => void;
  onNavigate: (path: string) => void;
  onClose: () => void;
};

/** Renders the palette of the signed-in screens. */
export function ConnectedPalette(props: ConnectedPaletteProps) {
  const { call, text, onTextChange, onNavigate, onClose } = props;
  const cache = useQueryClient();
  const user = useUser();
  const isOpen = call !== null;
  const people = useMemo(
    () => (isOpen ? peopleIn(cache, user?.email.toLowerCase() ?? '') : []),
    [isOpen, cache, user],
  );
  const all = useMemo((): readonly Command[] | null => {
    if (call === null) return null;
    const tags = (user?.tags ?? []).map(
      ({ name }): OwnCommand => ({
        id: `goTag:${name}`,
        title: t('Go to tag {name}', { name }),
        group: 'tags',
        keywords: name,
        run: () => onNavigate(mailPath(name)),
      }),
    );
    const theme = (mode: 'system' | 'light' | 'dark', title: string): OwnCommand => ({
      id: `theme:${mode}`,
      title,
      group: 'settings',
      run: () => setThemeMode(mode),
    });
    return [
      ...call.commands,
      ...tags,
      ...pageCommands(user?.role.is_admin ?? false, onNavigate),
      theme('light', t('Theme: light')),
      theme('dark', t('Theme: dark')),
      theme('system', t('Theme: system')),
    ];
  }, [call, user, onNavigate]);
  const writeTo = useCallback((person: Person) => openComposer({ to: [person] }), []);
  const search = useCallback(
    (text: string) => onNavigate(`${mailPath(recieved)}${hashOf(text)}`),
    [onNavigate],
  );
  return (
    <CommandPalette
      commands={all}
      from={call?.from ?? null}
      people={people}
      text={text}
      onTextChange={onTextChange}
      onWriteTo={writeTo}
      onSearch={search}
      onClose={onClose}
    />
  );
}
