// The words of a row in each density: three lines, two lines, or one. Laid out only; clicks belong to MailRow.
import { Bell, Clock, Lock, Paperclip, ShieldAlert } from 'lucide-react';
import { cn } from '../../lib/class-names.ts';
import { t } from '../../lib/language.ts';
import { TagChip } from '../../ui/TagChip.tsx';
import type { Density, MailRowView } from './view-model.ts';

/** Tags that are named; the others are counted. In two lines the subject needs the room. */
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
      <span dir="auto" className={cn('truncate', strongIfUnread)}>
        {row.fromName || row.fromAddress || t('(No recipient)')}
      </span>
      {row.threadCount > 1 && <Count>{String(row.threadCount)}</Count>}
      {row.sealed === 'failed' && <ShieldAlert size={13} className="shrink-0 text-danger" />}
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
    <div dir="auto" className={cn('align-as-page truncate text-ink', strongIfUnread, className)}>
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

function Snippet({ row, density, className }: { row: MailRowView; density: Density; className?: string }) {
  return (
    <div className={cn('flex min-w-0 items-center gap-1.5 text-control text-ink-3', className)}>
      <Tags row={row} density={density} />
      {row.activity === 'unsent' && (
        <span className="shrink-0 font-medium text-danger">{t('Not sent. Retry')}</span>
      )}
      {row.note !== undefined && (
        <span className="max-w-full shrink-0 truncate font-medium text-ink-2">{row.note}</span>
      )}
      <span dir="auto" className="align-as-page min-w-0 flex-1 truncate">
        {row.snippet}
      </span>
    </div>
  );
}

/** Everything a row says. `dateText` is the formatted date. */
export function MailRowText({
  row,
  density,
  dateText,
}: {
  row: MailRowView;
  density: Density;
  dateText: string;
}) {
  if (density === 'line') {
    return (
      <>
        <Sender row={row} className="w-44 shrink-0" />
        <Subject row={row} className="max-w-[46%] shrink-0" />
        <Snippet row={row} density={density} className="flex-1" />
        {row.attachmentCount > 0 && <Paperclip size={14} className="shrink-0 text-ink-3" />}
        <When row={row} text={dateText} className="w-20 shrink-0" />
      </>
    );
  }
  if (density === 'compact') {
    return (
      <>
        <Sender row={row} className="col-start-2" />
        <When row={row} text={dateText} className="col-start-3" />
        <div className="col-start-2 flex min-w-0 items-center gap-1.5">
          <Subject row={row} className="max-w-[70%] shrink-0" />
          <Tags row={row} density={density} />
        </div>
        {row.attachmentCount > 0 && (
          <Paperclip size={14} className="col-start-3 me-7 self-center justify-self-end text-ink-3" />
        )}
      </>
    );
  }
  return (
    <>
      <Sender row={row} className="col-start-2" />
      <When row={row} text={dateText} className="col-start-3" />
      <Subject row={row} className="col-start-2" />
      {row.attachmentCount > 0 && (
        <Paperclip size={14} className="col-start-3 mt-0.5 justify-self-end text-ink-3" />
      )}
      <Snippet row={row} density={density} className="col-start-2" />
    </>
  );
}
