// Failed items of a server-side import, by their position in reading order, because the server
// stores no names.
import type { OutputOf } from '@keyfold/contract';
import type { serverImportsCalls } from '@keyfold/contract/calls/server-imports';
import { useState } from 'react';
import { t } from '../../lib/language.ts';
import { formatCount } from '../../lib/words.ts';
import { Button } from '../../ui/Button.tsx';
import { Dialog } from '../../ui/Dialog.tsx';
import { skipText } from './import-words.ts';

type Status = OutputOf<typeof serverImportsCalls.status>['data'];

/** Renders nothing without failures. */
export function ServerFailures({ errors, failed }: Pick<Status, 'errors' | 'failed'>) {
  const [isOpen, setOpen] = useState(false);
  if (errors.length === 0) return null;
  return (
    <>
      <button
        type="button"
        onClick={() => setOpen(true)}
        className="rounded-chip font-medium text-accent-text underline underline-offset-2 hover:no-underline"
      >
        {t('{count, plural, one {See the # failed message} other {See the # failed messages}}', {
          count: failed,
        })}
      </button>
      <Dialog
        open={isOpen}
        onClose={() => setOpen(false)}
        title={t('Failed messages')}
        footer={<Button onClick={() => setOpen(false)}>{t('Close')}</Button>}
      >
        <ul>
          {errors.map(({ item, reason }) => (
            <li key={item} className="border-b border-line py-2 last:border-b-0">
              {t('{what}: {why}', {
                what: t('Message {number}', { number: formatCount(item) }),
                why: skipText(reason),
              })}
            </li>
          ))}
        </ul>
        {failed > errors.length && (
          <p className="mt-2 text-control text-ink-2">
            {t('{count, plural, one {and # more} other {and # more}}', { count: failed - errors.length })}
          </p>
        )}
      </Dialog>
    </>
  );
}
