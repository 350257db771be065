// The user's passkeys and security keys: their names and last use, with buttons to rename and
// remove them.

import type { OwnPasskey } from '@keyfold/contract';
import { UNREADABLE_ENTRY } from '@keyfold/contract/unreadable';
import { KeyRound } from 'lucide-react';
import { formatFullDate } from '../../lib/dates.ts';
import { t } from '../../lib/language.ts';
import { Button } from '../../ui/Button.tsx';

type KeyListProps = {
  passkeys: readonly OwnPasskey[];
  onRename: (key: OwnPasskey) => void;
  onRemove: (key: OwnPasskey) => void;
};

const nameOf = ({ name }: OwnPasskey): string => (name === UNREADABLE_ENTRY ? t('Unreadable entry') : name);

/** Renders the list, or a sentence when there are no keys. */
export function KeyList({ passkeys, onRename, onRemove }: KeyListProps) {
  if (passkeys.length === 0)
    return <p className="py-2 text-control text-ink-2">{t('No passkeys or security keys yet')}</p>;
  return (
    <ul aria-label={t('Passkeys and security keys')} className="my-3 rounded-card border border-line">
      {passkeys
        .map(key => ({ ...key, name: nameOf(key) }))
        .map(key => (
          <li
            key={key.id}
            className="flex min-h-14 flex-wrap items-center gap-x-3 gap-y-2 border-b border-line px-4 py-2 last:border-b-0"
          >
            <KeyRound aria-hidden size={18} className="shrink-0 text-ink-3" />
            <div className="min-w-40 flex-1">
              <div className="font-medium break-words">
                <bdi>{key.name}</bdi>
              </div>
              <div className="text-control text-ink-2">
                {key.last_used_at === null
                  ? t('Added {date}, not used yet', { date: formatFullDate(new Date(key.created_at)) })
                  : t('Last used {date}', { date: formatFullDate(new Date(key.last_used_at)) })}
              </div>
              {key.is_synced && <div className="text-meta text-ink-2">{t('Synced across devices')}</div>}
            </div>
            {/*
             * Both buttons or neither are beside the name: on a phone they wrap below it together.
             */}
            <div className="ms-auto flex gap-2">
              <Button
                variant="outline"
                size="sm"
                aria-label={t('Rename {name}', { name: key.name })}
                onClick={() => onRename(key)}
              >
                {t('Rename')}
              </Button>
              <Button
                variant="quietDanger"
                size="sm"
                aria-label={t('Remove {name}', { name: key.name })}
                onClick={() => onRemove(key)}
              >
                {t('Remove')}
              </Button>
            </div>
          </li>
        ))}
    </ul>
  );
}
