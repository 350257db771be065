// The bottom bar on phones: mail, search, tags, settings.
import { Inbox, Search, Settings, Tag } from 'lucide-react';
import { useLocation } from 'react-router';
import { t } from '../../lib/language.ts';
import { inboxPath, securityPath, settingsRoot } from '../../paths.ts';
import { searchOf } from '../../search-address.ts';

type BottomBarProps = {
  onNavigate: (path: string) => void;
  onSearch: () => void;
  onOpenTags: () => void;
};

/** Hidden from 761 px, and on a low screen, where the menu has the same entries. */
export function BottomBar({ onNavigate, onSearch, onOpenTags }: BottomBarProps) {
  const { pathname, hash } = useLocation();
  const isSearch = searchOf(hash) !== '';
  const entries = [
    {
      label: t('Mail'),
      Icon: Inbox,
      isCurrent: !isSearch && pathname.startsWith(inboxPath),
      onPress: () => onNavigate(inboxPath),
    },
    { label: t('Search'), Icon: Search, isCurrent: isSearch, onPress: onSearch },
    { label: t('Tags'), Icon: Tag, isCurrent: false, onPress: onOpenTags },
    {
      label: t('Settings'),
      Icon: Settings,
      isCurrent: pathname.startsWith(settingsRoot) || pathname.startsWith(securityPath()),
      onPress: () => onNavigate(settingsRoot),
    },
  ];
  return (
    <nav
      aria-label={t('Main')}
      data-keep-clear
      className="flex border-t border-line bg-surface pb-(--inset-bottom) pane:hidden short:hidden print:hidden"
    >
      {entries.map(({ label, Icon, isCurrent, onPress }) => (
        <button
          key={label}
          type="button"
          aria-current={isCurrent ? 'page' : undefined}
          onClick={onPress}
          className="flex h-14 flex-1 flex-col items-center justify-center gap-0.5 text-tiny font-medium text-ink-3 -outline-offset-2 aria-[current=page]:text-accent-text"
        >
          <Icon aria-hidden size={20} />
          {label}
        </button>
      ))}
    </nav>
  );
}
