// The fields of an event: title and place, start and end, and repetition.
import { useId } from 'react';
import { t } from '../../lib/language.ts';
import { Select } from '../../ui/Select.tsx';
import { Switch } from '../../ui/Switch.tsx';
import { TextArea } from '../../ui/TextArea.tsx';
import { TextField } from '../../ui/TextField.tsx';
import type { EventDraft, findDraftProblems, RepeatChoice } from './event-draft.ts';

type Change = (fields: Partial<EventDraft>) => void;

function TimeZoneField({ zone, onChange }: { zone: string; onChange: (zone: string) => void }) {
  const listId = useId();
  return (
    <>
      <TextField label={t('Time zone')} value={zone} list={listId} onChange={onChange} />
      <datalist id={listId}>
        {Intl.supportedValuesOf('timeZone').map(one => (
          <option key={one} value={one} />
        ))}
      </datalist>
    </>
  );
}

function EventTimes(props: { draft: EventDraft; endProblem: string | undefined; onChange: Change }) {
  const { draft, endProblem, onChange } = props;
  return (
    <div className="grid grid-cols-2 gap-3 max-pane:grid-cols-1">
      <TextField
        type="date"
        label={t('Start date')}
        value={draft.startDay}
        onChange={startDay =>
          onChange(
            draft.endDay < startDay || draft.endDay === draft.startDay
              ? { startDay, endDay: startDay }
              : { startDay },
          )
        }
      />
      {!draft.isAllDay && (
        <TextField
          type="time"
          label={t('Start time')}
          value={draft.startTime}
          onChange={startTime => onChange({ startTime })}
        />
      )}
      <TextField
        type="date"
        label={t('End date')}
        value={draft.endDay}
        error={endProblem}
        onChange={endDay => onChange({ endDay })}
      />
      {!draft.isAllDay && (
        <TextField
          type="time"
          label={t('End time')}
          value={draft.endTime}
          onChange={endTime => onChange({ endTime })}
        />
      )}
    </div>
  );
}

const repeats = (): { value: RepeatChoice; label: string }[] => [
  { value: 'none', label: t('Does not repeat') },
  { value: 'DAILY', label: t('Every day') },
  { value: 'WEEKLY', label: t('Every week') },
  { value: 'MONTHLY', label: t('Every month') },
  { value: 'YEARLY', label: t('Every year') },
];

type EventFieldsProps = {
  draft: EventDraft;
  /** Errors to display. */
  problems: ReturnType<typeof findDraftProblems>;
  zoneProblem: string | undefined;
  onChange: Change;
};

/** Renders all fields; the dialog arranges them. */
export function EventFields({ draft, problems, zoneProblem, onChange }: EventFieldsProps) {
  return (
    <>
      <TextField
        label={t('Title')}
        value={draft.summary}
        maxLength={250}
        dir="auto"
        error={problems.summary}
        onChange={summary => onChange({ summary })}
      />
      <div className="flex items-center justify-between gap-3">
        <span className="text-control font-medium">{t('All day')}</span>
        <Switch label={t('All day')} checked={draft.isAllDay} onChange={isAllDay => onChange({ isAllDay })} />
      </div>
      <EventTimes draft={draft} endProblem={problems.end} onChange={onChange} />
      {!draft.isAllDay && (
        <div>
          <TimeZoneField zone={draft.zone} onChange={zone => onChange({ zone })} />
          {zoneProblem !== undefined && <p className="mt-1 text-control text-danger">{zoneProblem}</p>}
        </div>
      )}
      <TextField
        label={t('Location')}
        value={draft.location}
        maxLength={250}
        dir="auto"
        onChange={location => onChange({ location })}
      />
      <div className="grid grid-cols-2 items-end gap-3 max-pane:grid-cols-1">
        <Select
          label={t('Repeat')}
          options={repeats()}
          value={draft.repeat}
          onChange={repeat => onChange({ repeat })}
        />
        {draft.repeat !== 'none' && (
          <TextField
            type="date"
            label={t('Repeat until (optional)')}
            value={draft.lastDay}
            error={problems.lastDay}
            onChange={lastDay => onChange({ lastDay })}
          />
        )}
      </div>
      <TextArea
        label={t('Description')}
        value={draft.description}
        maxLength={5000}
        dir="auto"
        onChange={description => onChange({ description })}
      />
    </>
  );
}
