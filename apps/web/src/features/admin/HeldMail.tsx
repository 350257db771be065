// Shows that an account's outgoing mail is held: since when and why, in numbers, and for super
// admins a button to release it. Shows no message content and no addresses:
// docs/adr/0033-operator-visibility.md.
import type { AdminUser, MailHold } from '@keyfold/contract';
import { useState } from 'react';
import { formatMessageDate } from '../../lib/dates.ts';
import { t } from '../../lib/language.ts';
import { formatCount } from '../../lib/words.ts';
import { AlertDialog } from '../../ui/AlertDialog.tsx';
import { Button } from '../../ui/Button.tsx';
import { Skeleton } from '../../ui/Skeleton.tsx';
import { loadFailureText } from './admin-errors.ts';
import { holdWord } from './audit-words.ts';
import { Facts } from './Facts.tsx';
import { useMailHold } from './queries.ts';
import type { RunAction } from './run-action.ts';

function Reasons({ hold }: { hold: MailHold }) {
  const now = new Date();
  const { strangers, tried, refused, suspicious, complaints } = hold.before;
  return (
    <>
      <p className="mb-3 text-base">{holdWord(hold.reason)}</p>
      <Facts
        facts={[
          { label: t('Held since'), value: formatMessageDate(new Date(hold.since), now) },
          { label: t('Automatic release'), value: formatMessageDate(new Date(hold.until), now) },
          { label: t('Recipients waiting'), value: formatCount(hold.waiting) },
        ]}
      />
      <h4 className="mt-4 mb-2 text-meta font-semibold text-ink-2">{t('In the 24 hours before')}</h4>
      <Facts
        facts={[
          { label: t('Recipients'), value: formatCount(tried) },
          { label: t('First-time recipients'), value: formatCount(strangers) },
          { label: t('Recipients rejected'), value: formatCount(refused) },
          { label: t('Flagged as spam'), value: formatCount(suspicious) },
          { label: t('Spam complaints'), value: formatCount(complaints) },
        ]}
      />
    </>
  );
}

type HeldMailProps = RunAction & {
  user: AdminUser;
  /** Whether it is the account of the current admin. */
  isOwn: boolean;
  canRelease: boolean;
};

/** Part of the account dialog; renders nothing once the hold is over. */
export function HeldMail({ user, isOwn, canRelease, run, running }: HeldMailProps) {
  const [isAsking, setAsking] = useState(false);
  const { data, error, isFetching, refetch } = useMailHold(user.id);
  if (data === null) return null;
  return (
    <section className="mb-6 rounded-card border border-line bg-warn-bg p-4">
      <h3 className="mb-1 text-control font-semibold text-warn">{t('Outgoing mail is held')}</h3>
      {data !== undefined && <Reasons hold={data} />}
      {data === undefined && error === null && (
        <div role="status" aria-busy aria-label={t('Loading')}>
          <Skeleton className="h-24 w-full" />
        </div>
      )}
      {data === undefined && error !== null && (
        <div className="flex flex-wrap items-center gap-2">
          <p role="alert" className="min-w-40 flex-1 text-control">
            {loadFailureText('hold', error)}
          </p>
          <Button variant="outline" size="sm" busy={isFetching} onClick={() => void refetch()}>
            {t('Try again')}
          </Button>
        </div>
      )}
      {canRelease && isOwn && (
        <p className="mt-3 text-control text-ink-2">
          {t('You can’t release your own mail. Ask another admin.')}
        </p>
      )}
      {canRelease && !isOwn && (
        <div className="mt-3 flex justify-end">
          <Button
            variant="outline"
            disabled={running !== null && running !== 'release'}
            onClick={() => setAsking(true)}
          >
            {t('Release')}
          </Button>
        </div>
      )}
      {isAsking && (
        <AlertDialog
          open
          title={t('Release outgoing mail from {email}?', { email: user.email })}
          confirmLabel={t('Release')}
          danger={false}
          busy={running === 'release'}
          onConfirm={() => run({ kind: 'release' })}
          onCancel={() => setAsking(false)}
        >
          {t(
            'Held messages are sent now, and the account can send again. The audit log records that you released them.',
          )}
        </AlertDialog>
      )}
    </section>
  );
}
