// The report: skipped messages with the reason, and their raw bytes for saving where available.
import { useState } from 'react';
import { t } from '../../lib/language.ts';
import { zipOf } from '../../lib/zip.ts';
import { saveFile } from '../../platform/save-file.ts';
import { Button } from '../../ui/Button.tsx';
import { Dialog } from '../../ui/Dialog.tsx';
import { skipText } from './import-words.ts';
import type { Journal } from './journal.ts';
import type { LiveRun } from './runs.ts';

type SkippedButtonProps = {
  journal: Journal;
  raws: LiveRun['raws'];
};

/** Renders nothing if no message was skipped. */
export function SkippedButton({ journal, raws }: SkippedButtonProps) {
  const { skipped, skippedCount } = journal;
  const [isOpen, setOpen] = useState(false);
  if (skippedCount === 0) return null;
  const save = async () => void (await saveFile(await zipOf(raws, new Date()), 'skipped.zip'));
  return (
    <>
      <button
        type="button"
        onClick={() => setOpen(true)}
        className="relative rounded-chip text-start font-medium text-accent-text underline underline-offset-2 pointer-coarse:after:absolute pointer-coarse:after:inset-x-0 pointer-coarse:after:-inset-y-3 hover:no-underline"
      >
        {t('{count, plural, one {See the # skipped message} other {See the # skipped messages}}', {
          count: skippedCount,
        })}
      </button>
      <Dialog
        open={isOpen}
        onClose={() => setOpen(false)}
        title={t('Skipped messages')}
        wide
        footer={
          <>
            {raws.length > 0 && (
              <Button variant="outline" onClick={() => void save()}>
                {t('Save skipped messages')}
              </Button>
            )}
            <Button onClick={() => setOpen(false)}>{t('Close')}</Button>
          </>
        }
      >
        <ul>
          {skipped.map(({ name, folder, reason }, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: the list only grows, and two can be alike
            <li key={index} className="border-b border-line py-2 last:border-b-0">
              <div className="font-medium wrap-anywhere">
                <bdi>{name === '' ? t('(No subject)') : name}</bdi>
              </div>
              <div className="text-control text-ink-2">
                {folder !== '' && (
                  <>
                    <bdi>{folder}</bdi>
                    {': '}
                  </>
                )}
                {skipText(reason)}
              </div>
            </li>
          ))}
        </ul>
        {skippedCount > skipped.length && (
          <p className="mt-2 text-control text-ink-2">
            {t('{count, plural, one {and # more} other {and # more}}', {
              count: skippedCount - skipped.length,
            })}
          </p>
        )}
      </Dialog>
    </>
  );
}
