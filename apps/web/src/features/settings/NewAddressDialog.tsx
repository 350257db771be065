// A new address: its name and the domain it is at.
import { type FormEvent, useId, useState } from 'react';
import { t } from '../../lib/language.ts';
import { useUser } from '../../session/current-user.ts';
import { settingsClient } from '../../session/settings-client.ts';
import { Button } from '../../ui/Button.tsx';
import { Dialog } from '../../ui/Dialog.tsx';
import { InlineSelect } from '../../ui/InlineSelect.tsx';
import { TextField } from '../../ui/TextField.tsx';
import { useAddressChange } from './address-queries.ts';
import { CallFailure } from './CallFailure.tsx';

interface NewAddressDialogProps {
  /** At which it can be; at least one. The first is chosen. */
  domains: readonly string[];
  onClose: () => void;
}

/** Open while mounted. */
export function NewAddressDialog({ domains, onClose }: NewAddressDialogProps) {
  const own = useUser()?.domains ?? [];
  const [name, setName] = useState('');
  const [domain, setDomain] = useState(domains[0] ?? '');
  const form = useId();
  const isOwn = own.includes(domain);
  const create = useAddressChange(async () => {
    if (isOwn) await settingsClient.domains.address({ username: name.trim(), domain });
    else await settingsClient.addresses.create({ address: `${name.trim()}@${domain}` });
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (name.trim() !== '') create.mutate(undefined, { onSuccess: onClose });
  };
  return (
    <Dialog
      open
      onClose={onClose}
      title={t('New address')}
      footer={
        <>
          <Button variant="outline" onClick={onClose}>
            {t('Cancel')}
          </Button>
          <Button type="submit" form={form} busy={create.isPending}>
            {t('Create')}
          </Button>
        </>
      }
    >
      <form id={form} noValidate onSubmit={submit} className="flex flex-col gap-3">
        <TextField
          autoFocus
          label={t('Name')}
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
          maxLength={64}
          value={name}
          onChange={next => {
            setName(next);
            create.reset();
          }}
          end={
            <>
              <span aria-hidden className="pe-2 text-ink-3">
                @
              </span>
              <InlineSelect
                label={t('Domain')}
                value={domain}
                options={domains.map(one => ({ value: one, label: one }))}
                onChange={setDomain}
              />
            </>
          }
        />
        <CallFailure
          title={isOwn ? t('Failed to create domain address') : t('Failed to create address')}
          error={create.error}
        />
      </form>
    </Dialog>
  );
}
