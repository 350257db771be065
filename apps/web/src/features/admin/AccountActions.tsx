// Actions of a super admin on an account (docs/spec-map.md 2, 4, 5, 8). The button in use is busy
// and the others are disabled.
import type { AdminUser } from '@keyfold/contract';
import { ADMIN_LEVELS, type AdminLevel } from '@keyfold/contract/limits';
import { PLANS, type Plan } from '@keyfold/contract/plans';
import { useState } from 'react';
import { t } from '../../lib/language.ts';
import { AlertDialog } from '../../ui/AlertDialog.tsx';
import { Button } from '../../ui/Button.tsx';
import { Select } from '../../ui/Select.tsx';
import { levelWord } from './audit-words.ts';
import { planName } from './PlanShares.tsx';
import type { AccountAction } from './queries.ts';
import type { RunAction } from './run-action.ts';
import { SuspendForm } from './SuspendForm.tsx';

type AccountActionsProps = RunAction & {
  user: AdminUser;
  /** Whether it is the account of the current admin. */
  isOwn: boolean;
};

const row = 'flex flex-wrap items-end gap-2 border-b border-line pb-3';

/** The button in use is busy, the others are disabled. */
const buttonState = (running: RunAction['running'], kind: AccountAction['kind']) => ({
  busy: running === kind,
  disabled: running !== null && running !== kind,
});

function RoleRow({ user, isOwn, run, running }: AccountActionsProps) {
  const [level, setLevel] = useState<AdminLevel>('readonly');
  const [isRevoking, setRevoking] = useState(false);
  if (user.is_admin)
    return (
      <div className={row}>
        <p className="min-w-40 flex-1 text-control text-ink-2">
          {t('This user is an admin ({level}).', { level: levelWord(user.admin_level ?? 'readonly') })}
        </p>
        <Button variant="quietDanger" {...buttonState(running, 'revoke')} onClick={() => setRevoking(true)}>
          {t('Revoke admin role')}
        </Button>
        {isRevoking && (
          <AlertDialog
            open
            title={t('Revoke admin role from {email}?', { email: user.email })}
            confirmLabel={t('Revoke')}
            busy={running === 'revoke'}
            onConfirm={() => run({ kind: 'revoke' })}
            onCancel={() => setRevoking(false)}
          >
            {isOwn
              ? t(
                  'You lose access to the admin dashboard immediately. Only another super admin can restore it.',
                )
              : t(
                  'This user loses access to the admin dashboard immediately. A super admin can grant the role again.',
                )}
          </AlertDialog>
        )}
      </div>
    );
  return (
    <div className={row}>
      <Select
        label={t('Admin level')}
        value={level}
        options={ADMIN_LEVELS.map(value => ({ value, label: levelWord(value) }))}
        onChange={setLevel}
      />
      <Button
        variant="soft"
        size="field"
        className="ms-auto"
        {...buttonState(running, 'grant')}
        onClick={() => run({ kind: 'grant', level })}
      >
        {t('Grant admin role')}
      </Button>
    </div>
  );
}

export function AccountActions({ user, isOwn, run, running }: AccountActionsProps) {
  const { is_admin: isAdmin, status } = user;
  const [plan, setPlan] = useState<Plan>(user.plan);
  const [reason, setReason] = useState('');
  return (
    <div className="flex flex-col gap-3">
      <RoleRow user={user} isOwn={isOwn} run={run} running={running} />
      <div className={row}>
        <Select
          label={t('Plan')}
          value={plan}
          options={PLANS.map(value => ({ value, label: planName(value) }))}
          onChange={setPlan}
        />
        <Button
          variant="soft"
          size="field"
          className="ms-auto"
          busy={running === 'plan'}
          disabled={plan === user.plan || (running !== null && running !== 'plan')}
          onClick={() => run({ kind: 'plan', plan })}
        >
          {t('Set plan')}
        </Button>
      </div>
      {status === 'suspended' && (
        <div className="flex flex-wrap items-center gap-2">
          <p className="min-w-40 flex-1 text-control text-ink-2">
            {t('Sign-in is blocked. Mail from other servers is deferred and outgoing mail is queued.')}
            {user.suspension_reason != null && (
              <span className="mt-1 block break-words whitespace-pre-wrap" dir="auto">
                {t('Reason: {reason}', { reason: user.suspension_reason })}
              </span>
            )}
          </p>
          <Button
            variant="outline"
            {...buttonState(running, 'unsuspend')}
            onClick={() => run({ kind: 'unsuspend' })}
          >
            {t('Unsuspend')}
          </Button>
        </div>
      )}
      {status === 'active' && (isAdmin || isOwn) && (
        <p className="text-control text-ink-2">
          {isOwn
            ? t('You can’t suspend your own account')
            : t('Admins can’t be suspended. Revoke the admin role first.')}
        </p>
      )}
      {status === 'active' && !isAdmin && !isOwn && (
        <SuspendForm reason={reason} onReason={setReason} run={run} running={running} />
      )}
    </div>
  );
}
