// One contact: name, trust state of the key, and actions.
import { MoreHorizontal, Pencil, Trash2 } from 'lucide-react';
import { t } from '../../lib/language.ts';
import { needsReview, type Person, type Trust } from '../../session/trust/pins.ts';
import { Avatar } from '../../ui/Avatar.tsx';
import { Button } from '../../ui/Button.tsx';
import { IconButton } from '../../ui/IconButton.tsx';
import { Menu } from '../../ui/Menu.tsx';
import { MenuItem } from '../../ui/MenuItem.tsx';
import { Spinner } from '../../ui/Spinner.tsx';
import { TrustPill } from './TrustPill.tsx';

/** More than a line can show. */
const GROUPS_SHOWN = 200;

type ContactRowProps = {
  person: Person;
  /** Undefined while loading. */
  trust: Trust | undefined;
  groups: readonly string[];
  isBusy: boolean;
  onVerify: () => void;
  onEdit: () => void;
  onRemove: () => void;
};

export function ContactRow({ person, trust, groups, isBusy, onVerify, onEdit, onRemove }: ContactRowProps) {
  const { email, name, note } = person;
  const shown = name || email;
  const isDue = needsReview(trust);
  return (
    <li className="flex min-h-16 flex-wrap items-center gap-x-3 gap-y-2 border-b border-line px-4 py-2.5 last:border-b-0">
      <Avatar name={shown} />
      <div className="min-w-40 flex-1">
        <bdi className="block truncate font-medium">{shown}</bdi>
        {name !== '' && <bdi className="block truncate text-control text-ink-2">{email}</bdi>}
        {(note !== '' || groups.length > 0) && (
          <span className="block truncate text-meta text-ink-3" dir="auto">
            {[...groups.slice(0, GROUPS_SHOWN), note].filter(text => text !== '').join(' · ')}
          </span>
        )}
      </div>
      <span className="flex flex-wrap items-center gap-2">
        {isBusy || trust === undefined ? (
          <Spinner size={15} className="text-ink-3" />
        ) : (
          <TrustPill trust={trust} pin={person.pin} />
        )}
        {trust !== undefined && trust !== 'plain' && (
          <Button
            variant="outline"
            size="sm"
            aria-label={
              isDue
                ? t('Review key for {person}', { person: shown })
                : trust === 'verified'
                  ? t('Safety number for {person}', { person: shown })
                  : t('Verify {person}', { person: shown })
            }
            onClick={onVerify}
          >
            {isDue ? t('Review') : trust === 'verified' ? t('Safety number') : t('Verify')}
          </Button>
        )}
        <Menu
          trigger={
            <IconButton tip={false} label={t('More actions for {person}', { person: shown })}>
              <MoreHorizontal size={16} />
            </IconButton>
          }
        >
          <MenuItem icon={<Pencil size={16} />} onSelect={onEdit}>
            {t('Edit')}
          </MenuItem>
          <MenuItem icon={<Trash2 size={16} />} onSelect={onRemove}>
            {t('Remove')}
          </MenuItem>
        </Menu>
      </span>
    </li>
  );
}
