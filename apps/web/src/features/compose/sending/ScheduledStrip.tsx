// The strip above a scheduled message: its send time and the remaining actions.
import { CalendarClock } from 'lucide-react';
import { useState } from 'react';
import { t, tAs } from '../../../lib/language.ts';
import { callErrorText } from '../../../session/calls/error-text.ts';
import { Banner } from '../../../ui/Banner.tsx';
import { Button } from '../../../ui/Button.tsx';
import { showToast } from '../../../ui/toasts.ts';
import { whenWords } from './schedule.ts';

type ScheduledStripProps = {
  mailId: string;
  /** ISO time. */
  sendAt: string;
  /** Called when the message is no longer scheduled: it was sent, or is a draft. */
  onLeft: () => void;
};

const work = () => import('./scheduled-drafts.ts');

/** A strip with three buttons; while one action runs the others are disabled. */
export function ScheduledStrip({ mailId, sendAt, onLeft }: ScheduledStripProps) {
  const [isBusy, setBusy] = useState(false);
  const run = async (act: () => Promise<void>, done: string | null) => {
    setBusy(true);
    try {
      await act();
      if (done !== null) showToast({ tone: 'success', text: done });
    } catch (error) {
      showToast({ tone: 'danger', text: callErrorText(error) });
    }
    setBusy(false);
    onLeft();
  };
  const cancel = async () => (await work()).cancelScheduled(mailId);
  const sendNow = async () => (await work()).sendScheduledNow(mailId);
  const edit = async () => (await work()).editScheduled(mailId);
  return (
    <Banner
      tone="info"
      icon={<CalendarClock size={16} />}
      title={t('Scheduled for {when}', { when: whenWords(new Date(sendAt)) })}
    >
      <span className="flex flex-wrap gap-1.5">
        <Button
          variant="inheritOutline"
          size="xs"
          disabled={isBusy}
          onClick={() => void run(cancel, t('Sending canceled. The message is in Drafts.'))}
        >
          {t('Cancel sending')}
        </Button>
        <Button
          variant="inherit"
          size="xs"
          disabled={isBusy}
          onClick={() => void run(sendNow, tAs('done', 'Sent'))}
        >
          {t('Send now')}
        </Button>
        <Button variant="inherit" size="xs" disabled={isBusy} onClick={() => void run(edit, null)}>
          {t('Edit')}
        </Button>
      </span>
    </Banner>
  );
}
