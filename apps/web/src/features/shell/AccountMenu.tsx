// The round button at the top end: shows the signed-in account and links to the settings and
// sign-out.
import { LogOut, Settings } from 'lucide-react';
import { t } from '../../lib/language.ts';
import { initialsOf } from '../../lib/words.ts';
import { keysOf } from '../../session/commands/shortcut-keys.ts';
import { Menu } from '../../ui/Menu.tsx';
import { MenuItem } from '../../ui/MenuItem.tsx';
import { MenuSeparator } from '../../ui/MenuSeparator.tsx';
import type { AccountView } from './view-model.ts';

type AccountMenuProps = {
  account: AccountView;
  onNavigate: (path: string) => void;
  onSignOut: () => void;
};

export function AccountMenu({ account, onNavigate, onSignOut }: AccountMenuProps) {
  return (
    <Menu
      trigger={
        <button
          type="button"
          className="grid size-8 shrink-0 place-items-center rounded-full bg-fill text-meta font-strong text-on-fill pointer-coarse:size-11 pointer-coarse:border-2 pointer-coarse:border-transparent pointer-coarse:bg-clip-padding"
        >
          <span aria-hidden>{initialsOf(account.name || account.email)}</span>
          <span className="sr-only">{t('Account: {email}', { email: account.email })}</span>
        </button>
      }
    >
      <div className="px-2.5 py-1.5">
        {account.name !== '' && <div className="font-medium">{account.name}</div>}
        <div className="text-meta break-all text-ink-3">{account.email}</div>
      </div>
      <MenuSeparator />
      <MenuItem
        icon={<Settings size={16} />}
        keys={keysOf('goSettings')}
        onSelect={() => onNavigate('/app/config')}
      >
        {t('Settings')}
      </MenuItem>
      {account.isAdmin && (
        <MenuItem icon={<Settings size={16} />} onSelect={() => onNavigate('/app/admin')}>
          {t('Admin Dashboard')}
        </MenuItem>
      )}
      <MenuSeparator />
      <MenuItem icon={<LogOut size={16} />} onSelect={onSignOut}>
        {t('Sign out')}
      </MenuItem>
    </Menu>
  );
}
