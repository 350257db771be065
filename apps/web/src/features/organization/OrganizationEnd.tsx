// Leave the organization, or delete it for all members.
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

const whatStays = () =>
  t('You keep the account and its mail, but lose addresses at domains that others connected.');

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
      title={t('Delete organization')}
      submitLabel={t('Delete organization')}
      isBusy={remove.isPending}
      disabled={!isMeant}
      onSubmit={() => isMeant && remove.mutate(undefined, { onSuccess: onClose })}
      onClose={onClose}
    >
      <p>
        {t(
          'Members keep their accounts and mail as personal accounts. Domains are disconnected, and members lose their addresses at domains of others. Pending invitations are withdrawn.',
        )}
      </p>
      <TextField
        autoFocus
        label={t('Type {email} to confirm', { email: name })}
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

/** Renders the last rows of the page. */
export function OrganizationEnd({ organization: { name }, canDelete }: OrganizationEndProps) {
  const [asked, setAsked] = useState<'delete' | 'leave' | null>(null);
  const close = () => setAsked(null);
  return (
    <div className="border-t border-line">
      <SettingsRow label={t('Leave organization')} text={whatStays()}>
        <Button variant="quietDanger" onClick={() => setAsked('leave')}>
          {t('Leave')}
        </Button>
      </SettingsRow>
      {canDelete && (
        <SettingsRow label={t('Delete organization')} text={t('Ends the organization for all members.')}>
          <Button variant="quietDanger" onClick={() => setAsked('delete')}>
            {t('Delete organization')}
          </Button>
        </SettingsRow>
      )}
      {asked === 'leave' && <LeaveQuestion name={name} onClose={close} />}
      {asked === 'delete' && <DeleteDialog name={name} onClose={close} />}
    </div>
  );
}
