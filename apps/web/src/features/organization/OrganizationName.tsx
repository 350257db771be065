// Renames the organization; for owners and admins.
import { ORGANIZATION_NAME_MAX_CHARACTERS } from '@keyfold/contract/limits';
import { type FormEvent, useState } from 'react';
import { t } from '../../lib/language.ts';
import { CallFailure } from '../../session/calls/CallFailure.tsx';
import { organizationClient } from '../../session/calls/clients/organization.ts';
import { Button } from '../../ui/Button.tsx';
import { TextField } from '../../ui/TextField.tsx';
import { useOrganizationChange } from './queries.ts';

export function OrganizationName({ name }: { name: string }) {
  const [typed, setTyped] = useState(name);
  const rename = useOrganizationChange(() => organizationClient.update({ name: typed }));
  const isChanged = typed.trim() !== '' && typed.trim() !== name;
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (isChanged && !rename.isPending) rename.mutate(undefined);
  };
  return (
    <form noValidate onSubmit={submit} className="flex flex-col gap-2">
      <div className="flex flex-wrap items-end gap-2">
        <div className="min-w-56 flex-1">
          <TextField
            label={t('Organization name')}
            autoComplete="off"
            dir="auto"
            maxLength={ORGANIZATION_NAME_MAX_CHARACTERS}
            value={typed}
            onChange={next => {
              setTyped(next);
              rename.reset();
            }}
          />
        </div>
        <Button type="submit" size="field" variant="outline" busy={rename.isPending} disabled={!isChanged}>
          {t('Rename')}
        </Button>
      </div>
      <CallFailure title={t('Failed to update organization')} error={rename.error} />
    </form>
  );
}
