// What a super admin can do to an account (docs/spec-map.md 2, 4, 5, 8). The button that acts is busy and the others are off.
import type { AdminUser } from '@keyfold/contract';
import { ADMIN_LEVELS, type AdminLevel, PLANS, type Plan } from '@keyfold/contract/limits';
import { useState } from 'react';
import { t } from '../../lib/language.ts';
import { AlertDialog } from '../../ui/AlertDialog.tsx';
import { Button } from '../../ui/Button.tsx';
import { Select } from '../../ui/Select.tsx';
import { planName } from './PlanShares.tsx';
import type { AccountAction } from './queries.ts';
import type { RunAction } from './run-action.ts';
import { SuspendForm } from './SuspendForm.tsx';

type AccountActionsProps = RunAction & {
  user: AdminUser;
  /** The account of who looks. */
  isOwn: boolean;
};

const row = 'flex flex-wrap items-end gap-2 border-b border-line pb-3';

/** The button that acts is busy, the others are off. */
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
          {t('This user is an admin of level {level}.', { level: user.admin_level ?? 'readonly' })}
        </p>
        <Button variant="quietDanger" {...buttonState(running, 'revoke')} onClick={() => setRevoking(true)}>
          {t('Revoke admin role')}
        </Button>
        {isRevoking && (
          <AlertDialog
            open
            title={t('Revoke the admin role of {email}?', { email: user.email })}
            confirmLabel={t('Revoke')}
            busy={running === 'revoke'}
            onConfirm={() => run({ kind: 'revoke' })}
            onCancel={() => setRevoking(false)}
          >
            {isOwn
              ? t('You lose the console at once. Only another super admin can give it back to you.')
              : t('They lose the console at once. A super admin can grant the role again.')}
          </AlertDialog>
        )}
      </div>
    );
  return (
    <div className={row}>
      <Select
        label={t('Admin level')}
        value={level}
        options={ADMIN_LEVELS.map(value => ({ value, label: value }))}
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

/** The form. */
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
            {t('Nobody can sign in to this account, and its mail waits.')}
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
            ? t('You cannot suspend your own account')
            : t('Admins cannot be suspended: revoke the role first')}
        </p>
      )}
      {status === 'active' && !isAdmin && !isOwn && (
        <SuspendForm reason={reason} onReason={setReason} run={run} running={running} />
      )}
    </div>
  );
}
