// Dialog for a new address: its name and its domain.
import { useState } from 'react';
import { t } from '../../lib/language.ts';
import { CallFailure } from '../../session/calls/CallFailure.tsx';
import { addressesClient } from '../../session/calls/clients/addresses.ts';
import { domainsClient } from '../../session/calls/clients/domains.ts';
import { findUsernameProblem, usernameHint } from '../../session/sign-in/address-names.ts';
import { useUser } from '../../session/state/current-user.ts';
import { FormDialog } from '../../ui/FormDialog.tsx';
import { InlineSelect } from '../../ui/InlineSelect.tsx';
import { TextField } from '../../ui/TextField.tsx';
import { useAddressChange } from './queries.ts';

type NewAddressDialogProps = {
  /** Domains to choose from; at least one. The first is preselected. */
  domains: readonly string[];
  onClose: () => void;
};

/** Open while mounted. */
export function NewAddressDialog({ domains, onClose }: NewAddressDialogProps) {
  const own = useUser()?.domains ?? [];
  const [name, setName] = useState('');
  const [domain, setDomain] = useState(domains[0] ?? '');
  const isOwn = own.includes(domain);
  const create = useAddressChange(async () => {
    if (isOwn) await domainsClient.address({ username: name.trim(), domain });
    else await addressesClient.create({ address: `${name.trim()}@${domain}` });
  });
  const [isTried, setTried] = useState(false);
  const problem = findUsernameProblem(name);
  const submit = () => {
    setTried(true);
    if (problem === null) create.mutate(undefined, { onSuccess: onClose });
  };
  return (
    <FormDialog
      title={t('New address')}
      submitLabel={t('Create')}
      isBusy={create.isPending}
      onSubmit={submit}
      onClose={onClose}
    >
      <TextField
        autoFocus
        label={t('Name')}
        dir="ltr"
        autoComplete="off"
        autoCapitalize="none"
        spellCheck={false}
        maxLength={64}
        hint={usernameHint()}
        error={isTried ? (problem ?? undefined) : undefined}
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
    </FormDialog>
  );
}
