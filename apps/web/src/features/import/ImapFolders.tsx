// Options of an import from another provider: folders, a start date, and whether folders become
// tags.
import type { OutputOf } from '@keyfold/contract';
import type { serverImportsCalls } from '@keyfold/contract/calls/server-imports';
import { useState } from 'react';
import { t } from '../../lib/language.ts';
import { formatCount } from '../../lib/words.ts';
import { Button } from '../../ui/Button.tsx';
import { CheckboxLine } from '../../ui/CheckboxLine.tsx';
import { TextField } from '../../ui/TextField.tsx';
import { placeName } from './import-words.ts';

type Folder = OutputOf<typeof serverImportsCalls.imap_folders>['data']['folders'][number];

export type ImapWish = {
  /** Null for all. */
  folders: string[] | null;
  since: string | null;
  folders_as_tags: boolean;
};

type ImapFoldersProps = {
  folders: readonly Folder[];
  isBusy: boolean;
  onBack: () => void;
  onCancel: () => void;
  onStart: (wish: ImapWish) => void;
};

/** The folders with their message counts; trash and spam are excluded unless selected. */
export function ImapFolders({ folders, isBusy, onBack, onCancel, onStart }: ImapFoldersProps) {
  const [left, setLeft] = useState<ReadonlySet<string>>(
    () =>
      new Set(folders.filter(({ place }) => place === 'spam' || place === 'deleted').map(({ name }) => name)),
  );
  const [since, setSince] = useState('');
  const [hasTags, setHasTags] = useState(true);
  const chosen = folders.filter(({ name }) => !left.has(name));
  const total = chosen.reduce((sum, { count }) => sum + (count ?? 0), 0);
  const toggle = (name: string, isChosen: boolean) =>
    setLeft(before => new Set(isChosen ? [...before].filter(one => one !== name) : [...before, name]));
  const start = () =>
    onStart({
      folders: left.size === 0 ? null : chosen.map(({ name }) => name),
      since: since === '' ? null : since,
      folders_as_tags: hasTags,
    });
  return (
    <div className="flex flex-col gap-4">
      <div>
        <h3 className="mb-1 font-semibold">{t('Folders')}</h3>
        <ul>
          {folders.map(({ name, path, count, place }) => {
            const title = path.join(' / ');
            return (
              <li
                key={name}
                className="flex flex-wrap items-center gap-x-4 border-b border-line py-1 last:border-b-0"
              >
                <div className="min-w-40 flex-1">
                  <CheckboxLine label={title} checked={!left.has(name)} onChange={is => toggle(name, is)}>
                    <span className="min-w-0 break-words">{title}</span>
                    {count !== null && (
                      <span className="shrink-0 text-control text-ink-3 tabular-nums">
                        {formatCount(count)}
                      </span>
                    )}
                  </CheckboxLine>
                </div>
                <span className="text-control text-ink-2">
                  {place === 'tag' && !hasTags ? placeName('archive') : placeName(place)}
                </span>
              </li>
            );
          })}
        </ul>
      </div>
      <div className="max-w-64">
        <TextField label={t('Start date')} type="date" value={since} onChange={setSince} />
      </div>
      <CheckboxLine label={t('Tag each message with its folder')} checked={hasTags} onChange={setHasTags} />
      <div className="flex flex-wrap items-center justify-end gap-2">
        <span className="me-auto text-control text-ink-2 tabular-nums">
          {t('{count, plural, one {# message} other {# messages}}', { count: total })}
        </span>
        <Button variant="quiet" onClick={onBack}>
          {t('Back')}
        </Button>
        <Button variant="outline" onClick={onCancel}>
          {t('Cancel')}
        </Button>
        <Button busy={isBusy} disabled={chosen.length === 0} onClick={start}>
          {t('Start import')}
        </Button>
      </div>
    </div>
  );
}
