// The users of a page: a table, or one card per user on narrow screens.
import type { AdminUser } from '@keyfold/contract';
import { ADMIN_SHOWN_QUOTA_BYTES } from '@keyfold/contract/limits';
import { Eye } from 'lucide-react';
import { t } from '../../lib/language.ts';
import { useMedia } from '../../lib/media.ts';
import { formatSize } from '../../lib/sizes.ts';
import { formatCount } from '../../lib/words.ts';
import { Avatar } from '../../ui/Avatar.tsx';
import { Badge } from '../../ui/Badge.tsx';
import { IconButton } from '../../ui/IconButton.tsx';
import { Meter } from '../../ui/Meter.tsx';
import { formatLastActive, formatPercent } from './number-words.ts';
import { planName } from './PlanShares.tsx';
import { AccountStatus } from './StatusBadge.tsx';
import { storagePercent } from './user-filters.ts';

type UserTableProps = {
  users: readonly AdminUser[];
  onView: (user: AdminUser) => void;
};

type RowProps = {
  user: AdminUser;
  onView: (user: AdminUser) => void;
};

function Person({ user }: { user: AdminUser }) {
  return (
    <div className="flex min-w-0 items-center gap-2.5">
      <Avatar name={user.name || user.email} />
      <div className="min-w-0">
        <div className="flex min-w-0 items-center gap-1.5 font-medium">
          <span className="truncate" dir="auto">
            {user.name}
          </span>
          {user.is_admin && <Badge tone="info">{t('Admin')}</Badge>}
        </div>
        <div className="truncate text-meta text-ink-2 rtl:text-end" dir="ltr">
          {user.email}
        </div>
      </div>
    </div>
  );
}

function ViewButton({ user, onView }: RowProps) {
  return (
    <IconButton
      tip={false}
      label={t('View {name}', { name: user.name || user.email })}
      onClick={() => onView(user)}
    >
      <Eye size={16} />
    </IconButton>
  );
}

function UserCard({ user, onView }: RowProps) {
  return (
    <li className="rounded-card border border-line bg-surface p-4">
      <div className="flex items-start gap-2">
        <div className="min-w-0 flex-1">
          <Person user={user} />
        </div>
        <AccountStatus user={user} />
        <ViewButton user={user} onView={onView} />
      </div>
      <div className="mt-3 mb-2 text-control text-ink-2">{planName(user.plan)}</div>
      <StorageBar user={user} />
      <div className="mt-2 flex flex-wrap gap-x-6 text-control text-ink-2 tabular-nums">
        <span>{t('Emails: {count}', { count: formatCount(user.sent_emails) })}</span>
        <span className="ms-auto">
          {t('Last Active: {when}', { when: formatLastActive(user.last_active_at, new Date()) })}
        </span>
      </div>
    </li>
  );
}

function UserRow({ user, onView }: RowProps) {
  return (
    <tr className="border-t border-line">
      <td className="max-w-0 px-3 py-2.5">
        <Person user={user} />
      </td>
      <td className="px-3 py-2.5">
        <AccountStatus user={user} />
      </td>
      <td className="px-3 py-2.5">{planName(user.plan)}</td>
      <td className="px-3 py-2.5">
        <StorageBar user={user} />
      </td>
      <td className="px-3 py-2.5 text-end tabular-nums">{formatCount(user.sent_emails)}</td>
      <td className="px-3 py-2.5 whitespace-nowrap text-ink-2">
        {formatLastActive(user.last_active_at, new Date())}
      </td>
      <td className="px-3 py-2.5 text-end">
        <ViewButton user={user} onView={onView} />
      </td>
    </tr>
  );
}

export function UserTable({ users, onView }: UserTableProps) {
  const hasRoom = useTableRoom();
  if (!hasRoom)
    return (
      <ul aria-label={t('Users')} className="grid grid-cols-1 gap-2 pane:grid-cols-2">
        {users.map(user => (
          <UserCard key={user.id} user={user} onView={onView} />
        ))}
      </ul>
    );
  return (
    <div className="overflow-x-auto rounded-card border border-line bg-surface">
      <table aria-label={t('Users')} className="w-full min-w-[900px] text-control">
        <thead className="text-start text-meta text-ink-2">
          <tr>
            <th className="px-3 py-2.5 text-start font-medium">{t('User')}</th>
            <th className="w-32 px-3 py-2.5 text-start font-medium">{t('Status')}</th>
            <th className="w-24 px-3 py-2.5 text-start font-medium">{t('Plan')}</th>
            <th className="w-56 px-3 py-2.5 text-start font-medium">{t('Storage Usage')}</th>
            <th className="w-24 px-3 py-2.5 text-end font-medium">{t('Emails')}</th>
            <th className="w-36 px-3 py-2.5 text-start font-medium">{t('Last Active')}</th>
            <th className="w-20 px-3 py-2.5 text-end font-medium">{t('Actions')}</th>
          </tr>
        </thead>
        <tbody>
          {users.map(user => (
            <UserRow key={user.id} user={user} onView={onView} />
          ))}
        </tbody>
      </table>
    </div>
  );
}

/**
 * Shows used storage as size, percentage and bar. The reference is the console's own measure
 * (docs/interpretations.md#69), because the real limit depends on the plan.
 */
function StorageBar({ user }: { user: AdminUser }) {
  const percent = storagePercent(user);
  const [used, total] = [formatSize(user.used_space), formatSize(ADMIN_SHOWN_QUOTA_BYTES)];
  return (
    <>
      <div className="mb-1 flex text-meta tabular-nums">
        <span>{used}</span>
        <span className="ms-auto text-ink-2">{formatPercent(percent)}</span>
      </div>
      <Meter
        label={t('Storage used by {name}', { name: user.name || user.email })}
        percent={percent}
        valueText={t('{used} of {total}', { used, total })}
      />
      <div className="mt-1 text-tiny text-ink-3">{t('of {total}', { total })}</div>
    </>
  );
}

/** Live; on screens too narrow for the last column, each user is a card. */
const useTableRoom = (): boolean => useMedia('(min-width: 960px)');
