// Options of an import from files: folders, the destination of each, and a date range.
import { HardDrive } from 'lucide-react';
import { useState } from 'react';
import { folderKey, type ImportPlace, importPlaces } from '../../crypto/import/import-types.ts';
import { t } from '../../lib/language.ts';
import { formatSize } from '../../lib/sizes.ts';
import { fromFieldValue } from '../../lib/wall-time.ts';
import { formatCount } from '../../lib/words.ts';
import { useUser } from '../../session/state/current-user.ts';
import { Banner } from '../../ui/Banner.tsx';
import { Button } from '../../ui/Button.tsx';
import { CheckboxLine } from '../../ui/CheckboxLine.tsx';
import { Select } from '../../ui/Select.tsx';
import { TextField } from '../../ui/TextField.tsx';
import { FileHead } from './FileHead.tsx';
import { placeName } from './import-words.ts';
import { RefusedFiles } from './RefusedFiles.tsx';
import { closeImport, type ImportProblem, type ImportState, startImport } from './runs.ts';

type ImportChoiceProps = {
  state: Extract<ImportState, { kind: 'choosing' }>;
  onProblem: (problem: ImportProblem | null) => void;
};

const DAY_MS = 86_400_000;

/** Returns the start of a day plus `after` days, or null for an empty field. */
function momentOf(day: string, after: number): number | null {
  const at = fromFieldValue(`${day}T00:00`).getTime();
  return Number.isNaN(at) ? null : at + after * DAY_MS;
}

/** The folders with a destination each, the dates, and the start button. */
export function ImportChoice({ state, onProblem }: ImportChoiceProps) {
  const { files, opened } = state;
  const filled = opened.folders.filter(({ count }) => count !== 0);
  const folders = filled.length === 0 ? opened.folders : filled;
  const user = useUser();
  const [places, setPlaces] = useState<Readonly<Record<string, ImportPlace>>>(() =>
    Object.fromEntries(folders.map(({ path, place }) => [folderKey(path), place])),
  );
  const [left, setLeft] = useState<ReadonlySet<string>>(new Set());
  const [from, setFrom] = useState('');
  const [until, setUntil] = useState('');
  const chosen = folders.filter(({ path }) => !left.has(folderKey(path)));
  const counts = chosen.map(({ count }) => count);
  const total = counts.reduce(
    (sum: number | null, one) => (sum === null || one === null ? null : sum + one),
    0,
  );
  const sizeBytes = files.reduce((sum, { size }) => sum + size, 0);
  const freeBytes =
    user === null ? Number.POSITIVE_INFINITY : user.plan_config.storage_limit - user.storage_used;
  const toggle = (key: string, isChosen: boolean) =>
    setLeft(before => new Set(isChosen ? [...before].filter(one => one !== key) : [...before, key]));
  const begin = () => {
    const wanted = Object.fromEntries(Object.entries(places).filter(([key]) => !left.has(key)));
    void startImport({ places: wanted, from: momentOf(from, 0), until: momentOf(until, 1), total }).then(
      onProblem,
    );
  };
  return (
    <section aria-label={t('Import')} className="rounded-card border border-line bg-surface p-5 max-pane:p-4">
      <FileHead files={files} note={formatSize(sizeBytes)} />
      <div className="mb-3 flex flex-col gap-3 empty:hidden">
        <RefusedFiles refused={opened.refused} tone="warn" />
      </div>
      {sizeBytes > freeBytes && (
        <div className="mb-3">
          <Banner tone="warn" icon={<HardDrive size={16} />}>
            {t('Your storage may not be large enough. You may need up to {size} more.', {
              size: formatSize(sizeBytes - freeBytes),
            })}
          </Banner>
        </div>
      )}
      <h2 className="mt-5 mb-1 font-semibold">{t('Folders')}</h2>
      <ul>
        {folders.map(({ path, count }) => {
          const key = folderKey(path);
          const name = path.length === 0 ? t('Individual messages') : path.join(' / ');
          return (
            <li
              key={key}
              className="flex flex-wrap items-center gap-x-4 gap-y-1 border-b border-line py-1.5 last:border-b-0"
            >
              <div className="min-w-40 flex-1">
                <CheckboxLine label={name} checked={!left.has(key)} onChange={is => toggle(key, is)}>
                  <bdi className="min-w-0 wrap-anywhere">{name}</bdi>
                  {count !== null && (
                    <span className="shrink-0 text-control text-ink-3 tabular-nums">
                      {formatCount(count)}
                    </span>
                  )}
                </CheckboxLine>
              </div>
              <div className="w-64 max-pane:w-full">
                <Select
                  label={t('Destination for {folder}', { folder: name })}
                  hideLabel
                  disabled={left.has(key)}
                  value={places[key] ?? 'inbox'}
                  options={importPlaces.map(value => ({ value, label: placeName(value) }))}
                  onChange={place => setPlaces(before => ({ ...before, [key]: place }))}
                />
              </div>
            </li>
          );
        })}
      </ul>
      <h2 className="mt-5 mb-2 font-semibold">{t('Date range')}</h2>
      <div className="flex flex-wrap gap-4 [&>*]:min-w-40 [&>*]:flex-1">
        <TextField label={t('Start date')} type="date" value={from} onChange={setFrom} />
        <TextField label={t('End date')} type="date" value={until} onChange={setUntil} />
      </div>
      <p className="mt-2 text-control text-ink-2">{t('Leave both empty to import messages of all dates.')}</p>
      <div className="mt-5 flex flex-wrap items-center justify-end gap-2">
        {total === 0 && (
          <span role="status" className="me-auto text-control text-ink-2 max-pane:w-full">
            {t('No messages in these folders')}
          </span>
        )}
        <Button variant="outline" onClick={closeImport}>
          {t('Cancel')}
        </Button>
        <Button disabled={chosen.length === 0 || total === 0} onClick={begin}>
          {t('Start import')}
        </Button>
      </div>
    </section>
  );
}
