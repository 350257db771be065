// The pages of settings, security and console as palette commands, without duplicates: some pages
// are listed in two areas.
import { t } from '../../lib/language.ts';
import { adminPath, securityPath } from '../../paths.ts';
import type { OwnCommand } from '../../session/commands/commands.ts';
import { menuOf } from '../settings/menus.ts';

const isOfSecurity = (path: string): boolean =>
  path === securityPath() || path.startsWith(`${securityPath()}/`);

/** Returns commands that open the pages; those of the console only for admins. */
export function pageCommands(isAdmin: boolean, go: (path: string) => void): OwnCommand[] {
  const command = (path: string, title: string, words: readonly string[] = []): OwnCommand => ({
    id: `page:${path}`,
    title,
    group: 'settings',
    keywords: words.join(' '),
    isWanted: true,
    run: () => go(path),
  });
  const listed = menuOf('settings').flatMap(({ pages }) => pages);
  const settings = listed
    .filter(({ path }) => !isOfSecurity(path))
    .map(({ path, title, words }) => command(path, t('Settings: {page}', { page: title }), words));
  const security = menuOf('security')
    .flatMap(({ pages }) => pages)
    .map(({ path, title }) =>
      command(path, t('Security: {page}', { page: title }), listed.find(one => one.path === path)?.words),
    );
  const consolePages = [
    [adminPath, t('Admin Dashboard')],
    [`${adminPath}?tab=users`, t('User Management')],
    [`${adminPath}?tab=operations`, t('Operations')],
    [`${adminPath}?tab=audit`, t('Audit log')],
  ] as const;
  const admin = consolePages.map(([path, title]) => command(path, t('Admin: {page}', { page: title })));
  return [...settings, ...security, ...(isAdmin ? admin : [])];
}
