// What the reader answered, to an invitation or to a time that a guest proposed, as the mail that they sent shows it: a line.
// The card is the invitation's.
import { CalendarCheck } from 'lucide-react';
import type { InviteView } from './invite-view.ts';
import { ownAnswerWords, stateWords } from './invite-words.ts';

/** "You accepted" or "You kept the old time", and what. */
export function OwnAnswerLine({ view }: { view: InviteView }) {
  const { answer, title } = view;
  return (
    <p className="mb-3 flex items-center gap-2 text-control text-ink-2">
      <CalendarCheck aria-hidden size={15} className="shrink-0" />
      <span className="shrink-0 font-medium">
        {answer === null ? stateWords(view) : ownAnswerWords(answer)}
      </span>
      <bdi className="min-w-0 truncate">{title}</bdi>
    </p>
  );
}
