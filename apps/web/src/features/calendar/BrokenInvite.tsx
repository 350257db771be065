// The grey card of calendar data that cannot be shown, with the text of the specification that says why (docs/spec-map.md 8.29).
// The file itself stays among the attachments.
import type { IcsErrorCode } from '@keyfold/mail/ics/error';
import { t, term } from '../../lib/language.ts';

const texts = {
  not_calendar: term('Invalid calendar data.'),
  no_event: term('Event details could not be parsed.'),
  bad_event: term('Error parsing event details.'),
} as const satisfies Record<IcsErrorCode, string>;

/** The eyebrow and one of three sentences. */
export function BrokenInvite({ reason }: { reason: IcsErrorCode }) {
  return (
    <section
      aria-label={t('Calendar invitation')}
      className="mt-1 mb-3.5 rounded-card border border-line bg-well px-4 py-3.5 text-ink-2"
    >
      <p className="mb-1 text-[11px] leading-4 font-semibold tracking-wider">{t('CALENDAR INVITATION')}</p>
      <p className="text-control">{t(texts[reason])}</p>
    </section>
  );
}
