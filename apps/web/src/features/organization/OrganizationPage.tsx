// `/app/config/organisation` (docs/spec-map.md 2, 6, 7; docs/interface.md#states): creates an
// organization, or shows the user's organization with its members and domains. Only the actions
// that the server allows the user are shown.
import { ORGANIZATION_NAME_MAX_CHARACTERS } from '@keyfold/contract/limits';
import { Building2 } from 'lucide-react';
import { type FormEvent, useState } from 'react';
import { t } from '../../lib/language.ts';
import { AskedFor } from '../../session/calls/AskedFor.tsx';
import { CallFailure } from '../../session/calls/CallFailure.tsx';
import { organizationClient } from '../../session/calls/clients/organization.ts';
import { Badge } from '../../ui/Badge.tsx';
import { Button } from '../../ui/Button.tsx';
import { EmptyState } from '../../ui/EmptyState.tsx';
import { SettingsPage } from '../../ui/SettingsPage.tsx';
import { TextField } from '../../ui/TextField.tsx';
import { OrganizationDomains } from './OrganizationDomains.tsx';
import { OrganizationEnd } from './OrganizationEnd.tsx';
import { OrganizationLog } from './OrganizationLog.tsx';
import { OrganizationMembers } from './OrganizationMembers.tsx';
import { OrganizationName } from './OrganizationName.tsx';
import { useOrganization, useOrganizationChange, usePermissions } from './queries.ts';
import { roleWord } from './words.ts';

function CreateOrganization() {
  const [name, setName] = useState('');
  const create = useOrganizationChange(() => organizationClient.create({ name }));
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (name.trim() !== '' && !create.isPending) create.mutate(undefined);
  };
  return (
    <>
      <form noValidate onSubmit={submit} className="mb-5 flex flex-col gap-2">
        <div className="flex flex-wrap items-end gap-2">
          <div className="min-w-56 flex-1">
            <TextField
              label={t('Organization name')}
              autoComplete="organization"
              dir="auto"
              maxLength={ORGANIZATION_NAME_MAX_CHARACTERS}
              value={name}
              onChange={next => {
                setName(next);
                create.reset();
              }}
            />
          </div>
          <Button type="submit" size="field" busy={create.isPending}>
            {t('Create')}
          </Button>
        </div>
        <CallFailure title={t('Failed to create organization')} error={create.error} />
      </form>
      <EmptyState
        icon={<Building2 />}
        title={t('You’re not in an organization')}
        text={t('Create one for your company, club or family, or ask an owner for an invitation.')}
      />
    </>
  );
}

function OwnOrganization({ can }: { can: readonly string[] }) {
  const query = useOrganization();
  return (
    <AskedFor query={query} bars={['h-10 w-3/5', 'h-40 w-full']} title={t('Failed to get organization')}>
      {organization => (
        <div className="flex flex-col gap-8">
          <div className="flex flex-wrap items-center gap-3">
            <h2 dir="auto" className="min-w-0 text-subject font-semibold [overflow-wrap:anywhere]">
              {organization.name}
            </h2>
            <Badge tone="info">{roleWord(organization.role)}</Badge>
          </div>
          <OrganizationMembers organization={organization} can={can} />
          <OrganizationDomains canConnect={can.includes('connect_domains')} />
          {can.includes('rename') && <OrganizationName key={organization.name} name={organization.name} />}
          {can.includes('view_log') && <OrganizationLog />}
          <OrganizationEnd organization={organization} canDelete={can.includes('delete')} />
        </div>
      )}
    </AskedFor>
  );
}

export function OrganizationPage() {
  const permissions = usePermissions();
  return (
    <SettingsPage
      title={t('Organization')}
      text={t(
        'Bring people together with addresses at your domains. No one can read another member’s mail, not even an owner.',
      )}
    >
      <AskedFor
        query={permissions}
        bars={['h-10 w-3/5', 'h-40 w-full']}
        title={t('Failed to get organization permissions')}
      >
        {({ role, can }) => (role === null ? <CreateOrganization /> : <OwnOrganization can={can} />)}
      </AskedFor>
    </SettingsPage>
  );
}
