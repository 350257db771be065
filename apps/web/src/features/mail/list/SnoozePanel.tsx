// Picks a snooze time: a preset, or a custom date and time. Has no access to messages.
import { CalendarClock, CalendarDays, Clock, Sunrise, Undo2 } from 'lucide-react';
import { useRef, useState } from 'react';
import { formatMessageDate } from '../../../lib/dates.ts';
import { t, tAs } from '../../../lib/language.ts';
import { toFieldValue } from '../../../lib/time-zone.ts';
import { Button } from '../../../ui/Button.tsx';
import { FloatingPanel } from '../../../ui/FloatingPanel.tsx';
import { TextField } from '../../../ui/TextField.tsx';
import { type SnoozeChoice, snoozeTimeOf, snoozeTimes } from './snooze-times.ts';

type SnoozePanelProps = {
  anchor: Element | null;
  /** The messages are snoozed and can be unsnoozed. */
  isSnoozed: boolean;
  onSnooze: (until: Date | null) => void;
  onClose: () => void;
};

const icons = { later: Clock, tomorrow: Sunrise, weekend: CalendarDays, week: CalendarClock } as const;

function wordsOf(choice: SnoozeChoice): string {
  switch (choice) {
    case 'later':
      return t('Later today');
    case 'tomorrow':
      return t('Tomorrow');
    case 'weekend':
      return t('This weekend');
    case 'week':
      return t('Next week');
  }
}

const entry =
  'flex min-h-9 w-full items-center gap-2.5 rounded-control px-2.5 text-start -outline-offset-2 hover:bg-hover focus-visible:bg-hover pointer-coarse:min-h-11';

/** Open while mounted. Arrow keys move between the times. */
export function SnoozePanel({ anchor, isSnoozed, onSnooze, onClose }: SnoozePanelProps) {
  const [now] = useState(() => new Date());
  const [own, setOwn] = useState<string | null>(null);
  const [error, setError] = useState<string>();
  const first = useRef<HTMLButtonElement>(null);
  const choices = snoozeTimes(now);
  const pick = (until: Date | null) => {
    onClose();
    onSnooze(until);
  };
  const pickOwn = () => {
    const at = snoozeTimeOf(own ?? '', new Date());
    if (at === null) setError(t('Choose a time within the next year'));
    else pick(at);
  };
  return (
    <FloatingPanel anchor={anchor} label={t('Snooze until')} onClose={onClose} initialFocus={first}>
      <fieldset
        aria-label={t('Snooze until')}
        onKeyDown={event => {
          const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
          if (step === undefined || event.target instanceof HTMLInputElement) return;
          event.preventDefault();
          const all = [...event.currentTarget.querySelectorAll<HTMLElement>('[data-time]')];
          const at = all.indexOf(document.activeElement as HTMLElement);
          all[(at + step + all.length) % all.length]?.focus();
        }}
      >
        <p className="px-2.5 pt-1 pb-1.5 text-meta font-semibold text-ink-3">{t('Snooze until')}</p>
        {isSnoozed && (
          <button type="button" ref={first} data-time className={entry} onClick={() => pick(null)}>
            <Undo2 aria-hidden size={16} className="text-ink-2" />
            {t('Move to Inbox now')}
          </button>
        )}
        {choices.map(({ choice, at }, index) => {
          const Icon = icons[choice];
          return (
            <button
              type="button"
              key={choice}
              ref={index === 0 && !isSnoozed ? first : undefined}
              data-time
              className={entry}
              onClick={() => pick(at)}
            >
              <Icon aria-hidden size={16} className="text-ink-2" />
              <span className="flex-1">{wordsOf(choice)}</span>
              <span className="text-meta text-ink-3 tabular-nums">{formatMessageDate(at, now)}</span>
            </button>
          );
        })}
        {own === null ? (
          <button
            type="button"
            data-time
            className={entry}
            onClick={() => setOwn(toFieldValue(choices.at(-1)?.at ?? now))}
          >
            <CalendarClock aria-hidden size={16} className="text-ink-2" />
            {t('Pick date and time')}
          </button>
        ) : (
          <form
            noValidate
            className="flex flex-col gap-2 p-2.5"
            onSubmit={event => {
              event.preventDefault();
              pickOwn();
            }}
          >
            <TextField
              autoFocus
              label={t('Date and time')}
              type="datetime-local"
              value={own}
              error={error}
              onChange={value => {
                setOwn(value);
                setError(undefined);
              }}
            />
            <Button size="sm" type="submit">
              {tAs('verb', 'Snooze')}
            </Button>
          </form>
        )}
      </fieldset>
    </FloatingPanel>
  );
}
