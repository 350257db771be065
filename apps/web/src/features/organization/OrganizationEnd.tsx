// The ways out: leaving the organisation, and ending it for everybody.
import type { Organization } from '@keyfold/contract';
import { useState } from 'react';
import { t } from '../../lib/language.ts';
import { CallFailure } from '../../session/calls/CallFailure.tsx';
import { organizationClient } from '../../session/calls/clients/organization.ts';
import { useUser } from '../../session/state/current-user.ts';
import { AlertDialog } from '../../ui/AlertDialog.tsx';
import { Button } from '../../ui/Button.tsx';
import { FormDialog } from '../../ui/FormDialog.tsx';
import { SettingsRow } from '../../ui/SettingsRow.tsx';
import { TextField } from '../../ui/TextField.tsx';
import { useMembers, useOrganizationChange } from './queries.ts';

const whatStays = () => t('The account and its mail stay. Addresses at domains that others connected end.');

function LeaveQuestion({ name, onClose }: { name: string; onClose: () => void }) {
  const email = useUser()?.email;
  const own = useMembers().data?.find(member => member.email === email)?.user_id;
  const leave = useOrganizationChange((user_id: string) => organizationClient.remove_member({ user_id }));
  return (
    <AlertDialog
      open
      title={t('Leave {name}?', { name })}
      confirmLabel={t('Leave')}
      busy={leave.isPending}
      onCancel={onClose}
      onConfirm={() => own !== undefined && leave.mutate(own, { onSuccess: onClose })}
    >
      <p>{whatStays()}</p>
      <CallFailure title={t('Failed to delete organization user')} error={leave.error} />
    </AlertDialog>
  );
}

function DeleteDialog({ name, onClose }: { name: string; onClose: () => void }) {
  const [typed, setTyped] = useState('');
  const remove = useOrganizationChange(() => organizationClient.remove({}));
  const isMeant = typed.trim() === name;
  return (
    <FormDialog
      danger
      title={t('Delete organisation')}
      submitLabel={t('Delete organisation')}
      isBusy={remove.isPending}
      disabled={!isMeant}
      onSubmit={() => isMeant && remove.mutate(undefined, { onSuccess: onClose })}
      onClose={onClose}
    >
      <p>
        {t(
          'Everybody keeps their account and its mail, which become personal. Domains are disconnected: members lose their addresses at those of others. Open invitations end.',
        )}
      </p>
      <TextField
        autoFocus
        label={t('Type {email}', { email: name })}
        autoComplete="off"
        value={typed}
        onChange={setTyped}
      />
      <CallFailure title={t('Failed to delete organization')} error={remove.error} />
    </FormDialog>
  );
}

type OrganizationEndProps = {
  organization: Organization;
  canDelete: boolean;
};

/** The last rows of the page. */
export function OrganizationEnd({ organization: { name }, canDelete }: OrganizationEndProps) {
  const [asked, setAsked] = useState<'delete' | 'leave' | null>(null);
  const close = () => setAsked(null);
  return (
    <div className="border-t border-line">
      <SettingsRow label={t('Leave the organisation')} text={whatStays()}>
        <Button variant="quietDanger" onClick={() => setAsked('leave')}>
          {t('Leave')}
        </Button>
      </SettingsRow>
      {canDelete && (
        <SettingsRow label={t('Delete organisation')} text={t('Ends it for everybody.')}>
          <Button variant="quietDanger" onClick={() => setAsked('delete')}>
            {t('Delete organisation')}
          </Button>
        </SettingsRow>
      )}
      {asked === 'leave' && <LeaveQuestion name={name} onClose={close} />}
      {asked === 'delete' && <DeleteDialog name={name} onClose={close} />}
    </div>
  );
}
