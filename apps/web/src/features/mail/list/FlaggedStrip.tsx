// Strip above the Spam folder: explains its contents and offers to clear it (docs/spec-map.md 7;
// docs/interpretations.md#52).
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { t } from '../../../lib/language.ts';
import { mailClient } from '../../../session/calls/clients/mail.ts';
import { callErrorText } from '../../../session/calls/error-text.ts';
import { runLocked } from '../../../session/calls/operation-locks.ts';
import { AlertDialog } from '../../../ui/AlertDialog.tsx';
import { Button } from '../../../ui/Button.tsx';
import { showToast } from '../../../ui/toasts.ts';
import { refreshMail } from '../state/mutations.ts';

/** "Delete all spam" asks for confirmation. */
export function FlaggedStrip({ total }: { total: number }) {
  const [isAsking, setAsking] = useState(false);
  const cache = useQueryClient();
  const clear = useMutation({
    mutationFn: () => runLocked(t('Delete all spam'), 'flagged', () => mailClient.clear_flagged({})),
    onSuccess: ({ data }) =>
      showToast({
        tone: 'success',
        text: t('{count, plural, one {# message} other {# messages}} moved to Deleted', {
          count: data.updated,
        }),
      }),
    onError: error => showToast({ tone: 'danger', text: callErrorText(error) }),
    onSettled: () => {
      setAsking(false);
      void refreshMail(cache);
    },
  });
  return (
    <div className="flex shrink-0 items-center gap-2 border-b border-line bg-well py-1 ps-4 pe-2 text-control text-ink-2">
      <span className="min-w-0 flex-1">{t('Messages that look like spam or that you marked as spam')}</span>
      <Button size="xs" variant="quietDanger" busy={clear.isPending} onClick={() => setAsking(true)}>
        {t('Delete all spam')}
      </Button>
      <AlertDialog
        open={isAsking}
        title={t('Move {count, plural, one {# spam message} other {# spam messages}} to Deleted?', {
          count: total,
        })}
        confirmLabel={t('Delete all spam')}
        busy={clear.isPending}
        onConfirm={() => clear.mutate()}
        onCancel={() => setAsking(false)}
      >
        {t('You can restore them from there for 30 days.')}
      </AlertDialog>
    </div>
  );
}
