// Target of a link to an event (`#/calendar/event/{id}`, docs/spec-map.md 2.22,
// docs/interpretations.md#42): finds and opens the message with its invitation, because there is no
// calendar; opens the inbox if there is none.
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { useNavigate, useParams } from 'react-router';
import { t } from '../../lib/language.ts';
import { inboxPath, mailPath } from '../../paths.ts';
import { callErrorText } from '../../session/calls/error-text.ts';
import { ErrorState } from '../../ui/ErrorState.tsx';
import { Spinner } from '../../ui/Spinner.tsx';
import { showToast } from '../../ui/toasts.ts';
import { findEventMail } from './find-event.ts';

/** The page shown while searching. */
export function EventScreen() {
  const { uid = '' } = useParams();
  const cache = useQueryClient();
  const navigate = useNavigate();
  const { data, error, refetch } = useQuery({
    queryKey: ['event-mail', uid],
    queryFn: () => findEventMail(cache, uid),
  });
  useEffect(() => {
    if (data === undefined) return;
    if (data === null) showToast({ tone: 'danger', text: t('Invitation not found') });
    void navigate(data === null ? inboxPath : `${mailPath('all')}?m=${encodeURIComponent(data)}`, {
      replace: true,
    });
  }, [data, navigate]);
  if (error !== null) {
    return (
      <ErrorState
        title={callErrorText(error)}
        text={t('Couldn’t load the invitation.')}
        onRetry={() => void refetch()}
      />
    );
  }
  return (
    <div role="status" className="grid h-full place-items-center">
      <span className="flex items-center gap-2.5 text-ink-2">
        <Spinner size={18} />
        {t('Looking for the invitation…')}
      </span>
    </div>
  );
}
