// One account as an admin sees it (docs/spec-map.md 2.39, 2.40, 2.41): its owner, its usage, and
// for super admins the available actions. A toast reports the result of an action; the dialog
// closes after a success and stays unchanged after a failure.
import type { AdminUser } from '@keyfold/contract';
import { ADMIN_SHOWN_QUOTA_BYTES, type AdminLevel } from '@keyfold/contract/limits';
import type { ReactNode } from 'react';
import { cn } from '../../lib/class-names.ts';
import { formatDay } from '../../lib/dates.ts';
import { t } from '../../lib/language.ts';
import { formatSize } from '../../lib/sizes.ts';
import { formatCount } from '../../lib/words.ts';
import { useUser } from '../../session/state/current-user.ts';
import { Dialog } from '../../ui/Dialog.tsx';
import { Meter } from '../../ui/Meter.tsx';
import { meterTone } from '../../ui/meter-tone.ts';
import { AccountActions } from './AccountActions.tsx';
import { Facts } from './Facts.tsx';
import { HeldMail } from './HeldMail.tsx';
import { formatLastActive, formatPercent } from './number-words.ts';
import { planName } from './PlanShares.tsx';
import { useRunAction } from './run-action.ts';
import { statusWord } from './StatusBadge.tsx';
import { storagePercent } from './user-filters.ts';

type ManageUserDialogProps = {
  user: AdminUser;
  level: AdminLevel;
  onClose: () => void;
};

function Part({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section className="mb-6">
      <h3 className="mb-2 text-control font-semibold text-ink-2">{title}</h3>
      {children}
    </section>
  );
}

const toneLook = { primary: '', warning: 'text-warn', danger: 'text-danger' } as const;

/** The dialog. Open while mounted. */
export function ManageUserDialog({ user, level, onClose }: ManageUserDialogProps) {
  const own = useUser();
  const isOwn = own?.email === user.email;
  const action = useRunAction(user.email, onClose);
  const percent = storagePercent(user);
  const [used, total] = [formatSize(user.used_space), formatSize(ADMIN_SHOWN_QUOTA_BYTES)];
  return (
    <Dialog open title={t('Manage User')} locked={action.running !== null} onClose={onClose}>
      <Part title={t('User Information')}>
        <Facts
          facts={[
            { label: t('Name'), value: user.name },
            { label: t('Email'), value: user.email },
            { label: t('Status'), value: statusWord(user.status) },
            { label: t('Plan'), value: planName(user.plan) },
            { label: t('Created'), value: formatDay(new Date(user.created_at)) },
            { label: t('Last Active'), value: formatLastActive(user.last_active_at, new Date()) },
          ]}
        />
      </Part>
      {user.mail_held && <HeldMail user={user} isOwn={isOwn} canRelease={level === 'super'} {...action} />}
      <Part title={t('Storage Usage')}>
        <div className="mb-1.5 flex gap-3 text-base tabular-nums">
          <span>{t('Used {used} / {total}', { used, total })}</span>
          <span className={cn('ms-auto font-medium', toneLook[meterTone(percent)])}>
            {formatPercent(percent)}
          </span>
        </div>
        <Meter label={t('Storage')} percent={percent} valueText={t('{used} of {total}', { used, total })} />
        <div className="mt-3">
          <Facts
            facts={[
              { label: t('Emails Sent'), value: formatCount(user.sent_emails) },
              { label: t('Domains'), value: formatCount(user.domain_count) },
            ]}
          />
        </div>
      </Part>
      {level === 'super' && (
        <section className="rounded-card border border-line p-4">
          <h3 className="mb-3 text-control font-semibold text-ink-2">{t('Admin Actions')}</h3>
          <AccountActions user={user} isOwn={isOwn} {...action} />
        </section>
      )}
    </Dialog>
  );
}
