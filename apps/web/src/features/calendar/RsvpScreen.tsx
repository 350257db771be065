// The page at `/app/rsvp#…`, where a guest without an account answers an invitation from this
// service. Works without signing in; opening it changes nothing, only pressing a button does
// (docs/spec-map.md 7, docs/interpretations.md#78).
import { useMutation } from '@tanstack/react-query';
import { CalendarX2 } from 'lucide-react';
import { useState } from 'react';
import { t } from '../../lib/language.ts';
import { usePageTitle } from '../../lib/page-title.ts';
import { calendarClient } from '../../session/calls/clients/calendar.ts';
import { Button } from '../../ui/Button.tsx';
import { EmptyState } from '../../ui/EmptyState.tsx';
import { LiveRegion } from '../../ui/LiveRegion.tsx';
import { AnswerButtons } from './AnswerButtons.tsx';
import { ownAnswerWords } from './invite-words.ts';
import type { RsvpAnswer } from './own-answers.ts';
import { readRsvpLink } from './rsvp-link.ts';

/** The target page of an invitation's link. */
export function RsvpScreen() {
  usePageTitle(t('Event'));
  const [ticket] = useState(() => readRsvpLink(location.hash));
  const answering = useMutation({
    networkMode: 'always',
    mutationFn: async (answer: RsvpAnswer) => {
      if (ticket === null) throw new Error('RSVP failed');
      await calendarClient.emailrsvp({
        event_id: ticket.eventId,
        token: ticket.token,
        response: answer,
      });
      return answer;
    },
  });
  if (ticket === null) {
    return (
      <EmptyState
        icon={<CalendarX2 />}
        title={t('This link is incomplete')}
        text={t('Open the full link from the invitation again.')}
      />
    );
  }
  const answer = answering.data ?? null;
  return (
    <>
      <p className="mb-2 text-[11px] leading-4 font-semibold tracking-wider text-ink-2">
        {t('CALENDAR INVITATION')}
      </p>
      <h1 dir="auto" className="text-subject font-semibold tracking-tight break-words">
        {ticket.title || t('Event')}
      </h1>
      {ticket.when !== '' && (
        <p dir="auto" className="mt-1 text-ink-2">
          {ticket.when}
        </p>
      )}
      <p className="mt-4 mb-3 text-ink-2">{t('Will you attend? Your answer is sent to the organizer.')}</p>
      <AnswerButtons
        answer={answer}
        busy={answering.isPending ? answering.variables : null}
        isQuiet={false}
        onAnswer={one => answering.mutate(one)}
      />
      {answer !== null && !answering.isPending && !answering.isError && (
        <p className="mt-3 font-medium">
          {ownAnswerWords(answer)}. {t('You can change your answer here.')}
        </p>
      )}
      {answering.isError && (
        <p role="alert" className="mt-3 flex flex-wrap items-center gap-2 font-medium text-danger">
          {t('RSVP failed')}
          <Button variant="inheritOutline" size="xs" onClick={() => answering.mutate(answering.variables)}>
            {t('Try again')}
          </Button>
        </p>
      )}
      {answering.isError && (
        <p className="mt-1 text-control text-ink-2">
          {t('The event may have changed or ended. If you received a newer invitation, use its link.')}
        </p>
      )}
      <LiveRegion text={answer !== null && !answering.isPending ? ownAnswerWords(answer) : ''} />
    </>
  );
}
