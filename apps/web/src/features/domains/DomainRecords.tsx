// The DNS records of a domain in one table: host and value with a copy button each, the current
// state, and what to do about it. On a phone each record is a separate block.
import type { DomainRecord } from '@keyfold/contract';
import { Check, CircleHelp, Clock, X } from 'lucide-react';
import { cn } from '../../lib/class-names.ts';
import { isolate, t } from '../../lib/language.ts';
import { Badge } from '../../ui/Badge.tsx';
import { CopyButton } from '../../ui/CopyButton.tsx';
import { adviceOf, stateWord } from './domain-words.ts';

const looks = {
  found: { tone: 'success', Icon: Check },
  waiting: { tone: 'warn', Icon: Clock },
  different: { tone: 'danger', Icon: X },
  unknown: { tone: 'neutral', Icon: CircleHelp },
} as const;

/** Lines below a value start where its text does, behind the button. */
const below = 'ps-[26px] pointer-coarse:ps-[34px]';

/** `isWhole` keeps the text on one line where the table is wide enough. */
function Copied({ text, label, isWhole = false }: { text: string; label: string; isWhole?: boolean }) {
  return (
    // The button comes first: behind a value of several lines it would be far from the text.
    <span className="inline-flex items-start gap-1">
      <span className="-ms-1.5 shrink-0 pointer-coarse:-ms-3.5">
        <CopyButton text={text} label={label} />
      </span>
      <code
        dir="ltr"
        className={cn(
          'pt-1 font-mono text-control wrap-anywhere pointer-coarse:pt-3',
          isWhole && 'pane:whitespace-nowrap',
        )}
      >
        {text}
      </code>
    </span>
  );
}

function RecordRow({ record }: { record: DomainRecord }) {
  const { type, host, name, value, priority, found, state, is_required: isRequired } = record;
  const { tone, Icon } = looks[state];
  const advice = adviceOf(record);
  const shown = state === 'different' || state === 'unknown' ? found : [];
  return (
    <tr className="border-b border-line align-top last:border-b-0 max-pane:grid max-pane:grid-cols-[auto_minmax(0,1fr)_auto] max-pane:gap-x-3 max-pane:px-1 max-pane:py-2">
      <td className="px-3 py-3 font-mono text-control max-pane:py-1">{type}</td>
      <td className="px-3 py-2 max-pane:px-0 max-pane:py-0">
        <Copied isWhole text={host} label={t('Copy host {host}', { host: name })} />
      </td>
      <td className="px-3 py-3 text-control tabular-nums text-ink-2 max-pane:hidden">{priority ?? ''}</td>
      <td className="px-3 py-2 max-pane:order-last max-pane:col-span-3 max-pane:py-1">
        {priority !== undefined && (
          <div className="text-meta text-ink-2 pane:hidden">{t('Priority {priority}', { priority })}</div>
        )}
        <Copied text={value} label={t('Copy value of {host}', { host: name })} />
        {!isRequired && <div className={cn(below, 'text-meta text-ink-3')}>{t('Recommended')}</div>}
        {(shown.length > 0 || advice !== null) && (
          <div className={cn(below, 'text-control', state === 'different' ? 'text-danger' : 'text-ink-2')}>
            {shown.map(text => (
              <div key={text} className="[overflow-wrap:anywhere]">
                {t('Found: {text}', { text: isolate(text) })}
              </div>
            ))}
            {advice}
          </div>
        )}
      </td>
      <td className="px-3 py-2.5 text-end max-pane:py-0">
        <Badge tone={tone}>
          <Icon aria-hidden size={13} />
          {stateWord(state)}
        </Badge>
      </td>
    </tr>
  );
}

export function DomainRecords({ records }: { records: readonly DomainRecord[] }) {
  const heads = [t('Type'), t('Host'), t('Priority'), t('Value')];
  return (
    <div className="overflow-hidden rounded-card border border-line">
      <table className="w-full border-collapse text-start max-pane:block">
        <caption className="sr-only">{t('DNS records')}</caption>
        <thead className="border-b border-line text-meta text-ink-2 max-pane:hidden">
          <tr>
            {heads.map(head => (
              <th key={head} scope="col" className="px-3 py-2 text-start font-medium">
                {head}
              </th>
            ))}
            <th scope="col" className="px-3 py-2 text-end font-medium">
              {t('State')}
            </th>
          </tr>
        </thead>
        <tbody className="max-pane:block">
          {records.map(record => (
            <RecordRow key={`${record.type} ${record.name} ${record.value}`} record={record} />
          ))}
        </tbody>
      </table>
    </div>
  );
}
