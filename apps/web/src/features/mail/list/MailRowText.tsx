// The text of a row in each density: three lines, two lines, or one. Layout only; MailRow handles
// clicks.
import { Bell, Clock, Lock, Paperclip, ShieldAlert } from 'lucide-react';
import type { ReactNode } from 'react';
import { cn } from '../../../lib/class-names.ts';
import { t } from '../../../lib/language.ts';
import { TagChip } from '../../../ui/TagChip.tsx';
import { peopleOf } from '../state/row-view.ts';
import type { Density, MailRowView } from '../state/view-model.ts';
import { UnprovenMark } from './UnprovenMark.tsx';

/**
 * Maximum number of tags shown by name; the rest are counted. In the two-line density the subject
 * needs the space.
 */
const maxTags = { comfortable: 2, compact: 1, line: 2 } as const satisfies Record<Density, number>;

const strongIfUnread = 'group-data-unread/row:font-strong group-data-unread/row:text-ink';

function Count({ children }: { children: string }) {
  return (
    <span className="shrink-0 rounded-full bg-well px-[5px] text-tiny font-semibold text-ink-3 tabular-nums">
      {children}
    </span>
  );
}

function Sender({ row, className }: { row: MailRowView; className?: string }) {
  return (
    <div className={cn('flex min-w-0 items-center gap-1.5 text-ink-2', className)}>
      <span dir="auto" className={cn('cut min-w-0', strongIfUnread)}>
        {peopleOf(row)}
      </span>
      {row.threadCount > 1 && <Count>{String(row.threadCount)}</Count>}
      {row.sealed === 'failed' && (
        <>
          <ShieldAlert size={13} className="shrink-0 text-danger" />
          <UnprovenMark />
        </>
      )}
      {row.sealed === 'known' && <Lock size={12} className="shrink-0 text-secure" />}
      {row.alert && <Bell size={12} className="shrink-0 text-accent" />}
    </div>
  );
}

function When({ text, row, className }: { text: string; row: MailRowView; className?: string }) {
  return (
    <div
      className={cn(
        'flex items-center justify-end gap-1 text-meta text-ink-3 tabular-nums group-data-unread/row:font-semibold group-data-unread/row:text-accent-text',
        className,
      )}
    >
      {(row.activity === 'sending' || row.activity === 'waiting' || row.activity === 'pending') && (
        <Clock size={12} />
      )}
      {text}
    </div>
  );
}

function Subject({ row, className }: { row: MailRowView; className?: string }) {
  return (
    <div dir="auto" className={cn('align-as-page cut min-w-0 text-ink', strongIfUnread, className)}>
      {row.subject || t('(No subject)')}
    </div>
  );
}

function Tags({ row, density }: { row: MailRowView; density: Density }) {
  const max = maxTags[density];
  return (
    <>
      {row.tags.slice(0, max).map(tag => (
        <TagChip key={tag.name} name={tag.name} color={tag.color} />
      ))}
      {row.tags.length > max && <Count>{`+${row.tags.length - max}`}</Count>}
    </>
  );
}

/** Tags and status labels of the row. */
function Chips({ row, density, className }: { row: MailRowView; density: Density; className?: string }) {
  if (row.tags.length === 0 && row.activity !== 'unsent' && row.note === undefined) return null;
  return (
    <div className={cn('flex min-w-0 items-center gap-1.5 text-control', className)}>
      <Tags row={row} density={density} />
      {row.activity === 'unsent' && (
        <span className="shrink-0 font-medium text-danger">{t('Not sent. Try again')}</span>
      )}
      {row.note !== undefined && <span className="min-w-0 cut font-medium text-ink-2">{row.note}</span>}
    </div>
  );
}

function Words({ row, className }: { row: MailRowView; className?: string }) {
  return (
    <span dir="auto" className={cn('align-as-page min-w-0 flex-1 cut text-ink-3', className)}>
      {row.snippet}
    </span>
  );
}

function Snippet({ row, density, className }: { row: MailRowView; density: Density; className?: string }) {
  return (
    <div className={cn('flex min-w-0 items-center gap-1.5 text-control', className)}>
      <Chips row={row} density={density} className="max-w-full shrink-0" />
      <Words row={row} />
    </div>
  );
}

/** The end of a line, above the star. */
const end = 'min-w-11 shrink-0 justify-end';
/** Reserves space at the end of the line for the hover actions: four of them and the star. */
const roomForActions = 'group-data-pointed/row:min-w-34 pointer-coarse:min-w-11';
/** The same, with a paperclip before them. */
const roomAfterClip =
  'group-data-pointed/row:min-w-39 group-data-pointed/row:justify-start pointer-coarse:min-w-0';

/**
 * Lines use flex boxes, not a grid: a grid leaves ten times the garbage whenever its text changes,
 * which happens as fast as lists scroll.
 */
function Line({ children }: { children: ReactNode }) {
  return <div className="flex h-[20px] gap-x-3">{children}</div>;
}

/** The text of a row. `dateText` is the formatted date. */
export function MailRowText({
  row,
  density,
  dateText,
}: {
  row: MailRowView;
  density: Density;
  dateText: string;
}) {
  const paperclip = (row.attachmentCount > 0 || row.threadHasFiles) && (
    <Paperclip size={14} className="shrink-0 text-ink-3" />
  );
  if (density === 'line') {
    return (
      <>
        <Sender row={row} className="w-44 shrink-0" />
        <Subject row={row} className="max-w-[46%] shrink-0" />
        <Snippet row={row} density={density} className="flex-1" />
        {paperclip}
        <When row={row} text={dateText} className="w-20 shrink-0" />
      </>
    );
  }
  if (density === 'compact') {
    return (
      <>
        <Line>
          <Sender row={row} className="flex-1" />
          <When row={row} text={dateText} className={end} />
        </Line>
        <Line>
          {/* The subject takes the width it needs; the snippet gets the rest. */}
          <div className="flex min-w-0 flex-1 items-center gap-1.5">
            <Subject row={row} className="shrink" />
            <Chips row={row} density={density} className="max-w-[45%] shrink-0" />
            <Words row={row} className="text-control" />
          </div>
          <span className={cn('flex shrink-0 items-center justify-end pe-7', roomAfterClip)}>
            {paperclip}
          </span>
        </Line>
      </>
    );
  }
  return (
    <>
      <Line>
        <Sender row={row} className="flex-1" />
        <When row={row} text={dateText} className={end} />
      </Line>
      <Line>
        <Subject row={row} className="flex-1" />
        <span className={cn('flex pt-0.5', end)}>{paperclip}</span>
      </Line>
      <Line>
        <Snippet row={row} density={density} className="flex-1" />
        <span className={cn(end, roomForActions)} />
      </Line>
    </>
  );
}
