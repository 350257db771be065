// Dialogs for one address: its label, another domain, replacing it with a random one, and deleting
// it.
import type { OwnAddress } from '@keyfold/contract';
import { ADDRESS_LABEL_MAX_CHARACTERS } from '@keyfold/contract/limits';
import { useState } from 'react';
import { t } from '../../lib/language.ts';
import { CallFailure } from '../../session/calls/CallFailure.tsx';
import { addressesClient } from '../../session/calls/clients/addresses.ts';
import { domainsClient } from '../../session/calls/clients/domains.ts';
import { AlertDialog } from '../../ui/AlertDialog.tsx';
import { FormDialog } from '../../ui/FormDialog.tsx';
import { Select } from '../../ui/Select.tsx';
import { TextField } from '../../ui/TextField.tsx';
import { showToast } from '../../ui/toasts.ts';
import { useAddressChange } from './queries.ts';

export type AddressQuestion = 'label' | 'move' | 'rotate' | 'remove';

type AddressDialogProps = {
  address: OwnAddress;
  onClose: () => void;
};

/** Dialog for the label that the owner gives an address. Open while mounted. */
export function AddressLabelDialog({ address: { address, label }, onClose }: AddressDialogProps) {
  const [text, setText] = useState(label);
  const save = useAddressChange(() => addressesClient.change({ address, label: text }));
  return (
    <FormDialog
      title={t('Label')}
      isBusy={save.isPending}
      onSubmit={() => save.mutate(undefined, { onSuccess: onClose })}
      onClose={onClose}
    >
      <p className="text-ink-2">
        <bdi>{address}</bdi>
      </p>
      <TextField
        autoFocus
        label={t('Label')}
        hint={t('Other people don’t see it. For example, note where you use this address.')}
        maxLength={ADDRESS_LABEL_MAX_CHARACTERS}
        value={text}
        onChange={setText}
      />
      <CallFailure title={t('Couldn’t save the label')} error={save.error} />
    </FormDialog>
  );
}

/**
 * Dialog to move an alias to another domain. Open while mounted; `domains` has at least one other
 * domain.
 */
export function MoveAddressDialog({
  address: { address },
  domains,
  onClose,
}: AddressDialogProps & { domains: readonly string[] }) {
  const at = address.lastIndexOf('@');
  const others = domains.filter(domain => domain !== address.slice(at + 1));
  const [domain, setDomain] = useState(others[0] ?? '');
  const move = useAddressChange(() => domainsClient.change({ address, domain }));
  return (
    <FormDialog
      title={t('Move to another domain')}
      submitLabel={t('Move')}
      isBusy={move.isPending}
      onSubmit={() => move.mutate(undefined, { onSuccess: onClose })}
      onClose={onClose}
    >
      <p className="text-ink-2">
        {t('{old} stops receiving mail immediately and is replaced by {fresh}.', {
          old: address,
          fresh: `${address.slice(0, at)}@${domain}`,
        })}
      </p>
      <Select
        label={t('Domain')}
        value={domain}
        options={others.map(one => ({ value: one, label: one }))}
        onChange={setDomain}
      />
      <CallFailure title={t('Failed to change domain')} error={move.error} />
    </FormDialog>
  );
}

/** Dialog to replace an alias with a new random address. Open while mounted. */
export function RotateAddressQuestion({ address: { address }, onClose }: AddressDialogProps) {
  const rotate = useAddressChange(() => addressesClient.rotate({ address }));
  return (
    <AlertDialog
      open
      title={t('Replace this address?')}
      confirmLabel={t('Replace')}
      cancelLabel={t('Cancel')}
      busy={rotate.isPending}
      onCancel={onClose}
      onConfirm={() =>
        rotate.mutate(undefined, {
          onSuccess: ({ data }) => {
            showToast({
              tone: 'success',
              text: t('New address: {address}', { address: data.address }),
            });
            onClose();
          },
        })
      }
    >
      <p>
        {t(
          'A random address replaces {address}, which stops receiving mail immediately. Only you or the owner of its domain can create the old address again.',
          { address },
        )}
      </p>
      <CallFailure title={t('Failed to regenerate address')} error={rotate.error} />
    </AlertDialog>
  );
}

/** Dialog to delete an address. Open while mounted. */
export function RemoveAddressQuestion({ address: { address }, onClose }: AddressDialogProps) {
  const remove = useAddressChange(() => addressesClient.remove({ address }));
  return (
    <AlertDialog
      open
      title={t('Delete this address?')}
      confirmLabel={t('Delete')}
      cancelLabel={t('Cancel')}
      busy={remove.isPending}
      onCancel={onClose}
      onConfirm={() => remove.mutate(undefined, { onSuccess: onClose })}
    >
      <p>
        {t(
          'Mail to {address} will be rejected. Only you or the owner of its domain can create the address again.',
          {
            address,
          },
        )}
      </p>
      <CallFailure title={t('Failed to delete address')} error={remove.error} />
    </AlertDialog>
  );
}
