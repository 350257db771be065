// The bar above list and reader: menu button (phone), search, connection, theme, settings, account.
import { CloudOff, Menu as MenuIcon, Moon, Settings, Sun } from 'lucide-react';
import type { ReactNode } from 'react';
import { t } from '../../lib/language.ts';
import { keysOf } from '../../session/commands/shortcut-keys.ts';
import { setThemeMode, useTheme } from '../../theme/theme-mode.ts';
import { Badge } from '../../ui/Badge.tsx';
import { IconButton } from '../../ui/IconButton.tsx';
import { AccountMenu } from './AccountMenu.tsx';
import type { AccountView } from './view-model.ts';

export type TopBarProps = {
  /** SearchBar. */
  search: ReactNode;
  account: AccountView;
  isOffline: boolean;
  /** Number of changes that wait for a connection. */
  waitingChanges: number;
  onOpenMenu: () => void;
  onNavigate: (path: string) => void;
  onSignOut: () => void;
};

/** 56 px high, 44 px on a low screen. */
export function TopBar({
  search,
  account,
  isOffline,
  waitingChanges,
  onOpenMenu,
  onNavigate,
  onSignOut,
}: TopBarProps) {
  const theme = useTheme();
  return (
    <header className="flex h-14 min-w-0 items-center short:h-11 gap-2 border-b border-line px-3 max-pane:px-2 print:hidden">
      <span className="pane:hidden">
        <IconButton tip={false} size="touch" label={t('Menu')} onClick={onOpenMenu}>
          <MenuIcon size={20} />
        </IconButton>
      </span>
      {search}
      <span className="flex-1 max-pane:hidden" />
      {isOffline && (
        <span role="status" className="shrink-0">
          <Badge tone="warn">
            <CloudOff size={14} />
            <span className="max-pane:sr-only">
              {waitingChanges > 0
                ? t('{count, plural, one {Offline, # change waiting} other {Offline, # changes waiting}}', {
                    count: waitingChanges,
                  })
                : t('Offline')}
            </span>
          </Badge>
        </span>
      )}
      <span className="flex gap-1 max-pane:hidden">
        <IconButton
          label={theme === 'dark' ? t('Switch to light theme') : t('Switch to dark theme')}
          onClick={() => setThemeMode(theme === 'dark' ? 'light' : 'dark')}
        >
          {theme === 'dark' ? <Sun size={18} /> : <Moon size={18} />}
        </IconButton>
        <IconButton
          label={t('Settings')}
          keys={keysOf('goSettings')}
          onClick={() => onNavigate('/app/config')}
        >
          <Settings size={18} />
        </IconButton>
      </span>
      <AccountMenu account={account} onNavigate={onNavigate} onSignOut={onSignOut} />
    </header>
  );
}
