// Over the Spam folder: what it holds, and the way to empty it at once (docs/spec-map.md 7; docs/interpretations.md#52).
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { t } from '../../../lib/language.ts';
import { triageClient } from '../../../session/calls/clients/triage.ts';
import { callErrorText } from '../../../session/calls/error-text.ts';
import { runLocked } from '../../../session/calls/operation-locks.ts';
import { AlertDialog } from '../../../ui/AlertDialog.tsx';
import { Button } from '../../../ui/Button.tsx';
import { showToast } from '../../../ui/toasts.ts';
import { refreshMail } from '../state/mutations.ts';

/** "Clear all" asks first. */
export function FlaggedStrip({ total }: { total: number }) {
  const [isAsking, setAsking] = useState(false);
  const cache = useQueryClient();
  const clear = useMutation({
    mutationFn: () => runLocked(t('Clear all'), 'flagged', () => triageClient.clear_flagged({})),
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
      <span className="min-w-0 flex-1">{t('Mail that looks like spam, or that you marked as spam')}</span>
      <Button size="xs" variant="quietDanger" busy={clear.isPending} onClick={() => setAsking(true)}>
        {t('Clear all')}
      </Button>
      <AlertDialog
        open={isAsking}
        title={t('Move {count, plural, one {# flagged message} other {# flagged messages}} to Deleted?', {
          count: total,
        })}
        confirmLabel={t('Clear all')}
        busy={clear.isPending}
        onConfirm={() => clear.mutate()}
        onCancel={() => setAsking(false)}
      >
        {t('They are kept there for 30 days and can be restored until then.')}
      </AlertDialog>
    </div>
  );
}
