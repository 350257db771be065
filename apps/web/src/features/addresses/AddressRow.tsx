// One address in the list: its kind, whether it receives and sends messages, and its actions.
import type { OwnAddress } from '@keyfold/contract';
import { ArrowRightLeft, MoreHorizontal, PenLine, RefreshCw, Star, Trash2 } from 'lucide-react';
import { useState } from 'react';
import { cn } from '../../lib/class-names.ts';
import { t } from '../../lib/language.ts';
import { CallFailure } from '../../session/calls/CallFailure.tsx';
import { addressesClient } from '../../session/calls/clients/addresses.ts';
import { Badge } from '../../ui/Badge.tsx';
import { IconButton } from '../../ui/IconButton.tsx';
import { Menu } from '../../ui/Menu.tsx';
import { MenuItem } from '../../ui/MenuItem.tsx';
import { Switch } from '../../ui/Switch.tsx';
import {
  AddressLabelDialog,
  type AddressQuestion,
  MoveAddressDialog,
  RemoveAddressQuestion,
  RotateAddressQuestion,
} from './AddressDialogs.tsx';
import { useAddressChange } from './queries.ts';

const kindWords = (kind: OwnAddress['kind']): string =>
  kind === 'main' ? t('Main address') : kind === 'login' ? t('Sign-in address') : t('Extra address');

type AddressRowProps = {
  address: OwnAddress;
  /** Domains at which addresses are possible. */
  domains: readonly string[];
};

/** A list item; shows its own errors. */
export function AddressRow({ address, domains }: AddressRowProps) {
  const { address: name, kind, label, is_on: isOn, is_default: isDefault } = address;
  const [question, setQuestion] = useState<AddressQuestion | null>(null);
  const change = useAddressChange((set: { is_on?: boolean; is_default?: boolean }) =>
    addressesClient.change({ address: name, ...set }),
  );
  const close = () => setQuestion(null);
  const isAlias = kind === 'alias';
  return (
    <li className="flex flex-wrap items-center gap-x-3 gap-y-1 border-b border-line px-4 py-2.5 last:border-b-0">
      <IconButton
        label={
          isDefault
            ? t('New messages are sent from this address')
            : t('Send new messages from {name}', { name })
        }
        variant="star"
        aria-pressed={isDefault}
        disabled={!isOn}
        onClick={() => !isDefault && change.mutate({ is_default: true })}
      >
        <Star size={16} />
      </IconButton>
      <div className="min-w-36 flex-1">
        <div className={cn('font-medium [overflow-wrap:anywhere]', !isOn && 'text-ink-3')}>
          <bdi>{name}</bdi>
        </div>
        <div dir="auto" className="truncate text-meta text-ink-3">
          {[label, ...(label === '' || !isAlias ? [kindWords(kind)] : [])].filter(Boolean).join(' · ')}
        </div>
      </div>
      <span className="flex gap-2 max-pane:hidden">
        {isDefault && <Badge tone="info">{t('Default')}</Badge>}
        {!isOn && <Badge tone="warn">{t('Off')}</Badge>}
      </span>
      {isAlias && (
        <Switch
          label={t('Receive mail at {name}', { name })}
          checked={isOn}
          disabled={change.isPending}
          onChange={is_on => change.mutate({ is_on })}
        />
      )}
      <Menu
        trigger={
          <IconButton tip={false} label={t('More actions for {name}', { name })}>
            <MoreHorizontal size={16} />
          </IconButton>
        }
      >
        <MenuItem icon={<PenLine size={16} />} onSelect={() => setQuestion('label')}>
          {t('Label')}
        </MenuItem>
        {isAlias && domains.length > 1 && (
          <MenuItem icon={<ArrowRightLeft size={16} />} onSelect={() => setQuestion('move')}>
            {t('Move to another domain')}
          </MenuItem>
        )}
        {isAlias && (
          <MenuItem icon={<RefreshCw size={16} />} onSelect={() => setQuestion('rotate')}>
            {t('Replace with random address')}
          </MenuItem>
        )}
        {isAlias && (
          <MenuItem danger icon={<Trash2 size={16} />} onSelect={() => setQuestion('remove')}>
            {t('Delete')}
          </MenuItem>
        )}
      </Menu>
      {change.error !== null && (
        <div className="basis-full">
          <CallFailure title={t('Couldn’t change the address')} error={change.error} />
        </div>
      )}
      {question === 'label' && <AddressLabelDialog address={address} onClose={close} />}
      {question === 'move' && <MoveAddressDialog address={address} domains={domains} onClose={close} />}
      {question === 'rotate' && <RotateAddressQuestion address={address} onClose={close} />}
      {question === 'remove' && <RemoveAddressQuestion address={address} onClose={close} />}
    </li>
  );
}
