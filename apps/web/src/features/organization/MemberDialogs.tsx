// Dialogs about one member: change the role, reset the password (with the data that is lost),
// remove the member, and create a new link for an invitation.
import type { OrganizationMember } from '@keyfold/contract';
import { TriangleAlert } from 'lucide-react';
import { useState } from 'react';
import { t } from '../../lib/language.ts';
import { CallFailure } from '../../session/calls/CallFailure.tsx';
import { organizationClient } from '../../session/calls/clients/organization.ts';
import { AlertDialog } from '../../ui/AlertDialog.tsx';
import { Banner } from '../../ui/Banner.tsx';
import { Button } from '../../ui/Button.tsx';
import { CheckboxLine } from '../../ui/CheckboxLine.tsx';
import { Dialog } from '../../ui/Dialog.tsx';
import { FormDialog } from '../../ui/FormDialog.tsx';
import { LinkView } from '../../ui/LinkView.tsx';
import { Select } from '../../ui/Select.tsx';
import { InviteLinkDialog } from './InviteDialog.tsx';
import { useOrganizationChange } from './queries.ts';
import { roleHint, roleOptions } from './words.ts';

type MemberDialogProps = {
  member: OrganizationMember;
  onClose: () => void;
};

/** Dialog to change a role. Open while mounted. */
export function RoleDialog({ member: { user_id, email, role: before }, onClose }: MemberDialogProps) {
  const [role, setRole] = useState(before);
  const save = useOrganizationChange(() => organizationClient.set_role({ user_id, role }));
  return (
    <FormDialog
      title={t('Change role')}
      isBusy={save.isPending}
      disabled={role === before}
      onSubmit={() => role !== before && save.mutate(undefined, { onSuccess: onClose })}
      onClose={onClose}
    >
      <p className="text-ink-2">
        <bdi>{email}</bdi>
      </p>
      <div>
        <Select label={t('Role')} value={role} options={roleOptions()} onChange={setRole} />
        <p className="mt-1.5 text-meta text-ink-3">{roleHint(role)}</p>
      </div>
      <CallFailure title={t('Failed to update user role')} error={save.error} />
    </FormDialog>
  );
}

/**
 * Explains a reset and its cost, then shows its link (docs/interpretations.md#76). Open while
 * mounted.
 */
export function ResetQuestion({ member: { user_id, email }, onClose }: MemberDialogProps) {
  const [isUnderstood, setUnderstood] = useState(false);
  const reset = useOrganizationChange(() => organizationClient.reset_password({ user_id }));
  if (reset.data !== undefined) {
    return (
      <Dialog
        open
        onClose={onClose}
        title={t('Password reset link')}
        footer={<Button onClick={onClose}>{t('Done')}</Button>}
      >
        <div className="flex flex-col gap-3">
          <LinkView
            link={reset.data.data.reset}
            text={t(
              'Give this link to the owner of {email} yourself: anyone who has it can get into the account. It works once, expires in 3 days and won’t be shown again.',
              { email },
            )}
          />
        </div>
      </Dialog>
    );
  }
  return (
    <FormDialog
      danger
      title={t('Reset password')}
      submitLabel={t('Create reset link')}
      isBusy={reset.isPending}
      disabled={!isUnderstood}
      onSubmit={() => isUnderstood && reset.mutate(undefined)}
      onClose={onClose}
    >
      <Banner tone="danger" icon={<TriangleAlert size={18} />} title={t('Existing mail will be lost')}>
        {t(
          'Only {email} has the keys to this mail, and neither you nor the service can restore them. A reset creates a new sign-in with new keys. All existing mail stays locked permanently.',
          { email },
        )}
      </Banner>
      <ul className="flex list-disc flex-col gap-1 ps-5 text-control text-ink-2">
        <li>{t('If they still have their recovery kit, they should use it instead to keep their mail.')}</li>
        <li>{t('All their sessions end now. Their old password works until the link is used.')}</li>
        <li>{t('Their contacts are notified that their keys have changed.')}</li>
      </ul>
      <CheckboxLine
        label={t('I understand that their existing mail can’t be opened again')}
        checked={isUnderstood}
        onChange={setUnderstood}
      />
      <CallFailure title={t('Failed to reset user password')} error={reset.error} />
    </FormDialog>
  );
}

/**
 * Creates another link for the same invitation; the previous one stops working. Open while mounted.
 */
export function NewLinkDialog({ member: { email, name, role }, onClose }: MemberDialogProps) {
  const at = email.lastIndexOf('@');
  const invite = useOrganizationChange(() =>
    organizationClient.invite({
      name,
      username: email.slice(0, at),
      domain: email.slice(at + 1),
      role,
    }),
  );
  if (invite.data !== undefined)
    return <InviteLinkDialog secret={invite.data.data.invite} email={email} onClose={onClose} />;
  return (
    <AlertDialog
      open
      danger={false}
      title={t('Create a new link?')}
      confirmLabel={t('Create link')}
      busy={invite.isPending}
      onCancel={onClose}
      onConfirm={() => invite.mutate(undefined)}
    >
      <p>{t('The current invitation link for {email} stops working.', { email })}</p>
      <CallFailure title={t('Failed to create organization user')} error={invite.error} />
    </AlertDialog>
  );
}

/** Dialog to remove a member or withdraw an invitation. Open while mounted. */
export function RemoveMemberQuestion({ member: { user_id, email, status }, onClose }: MemberDialogProps) {
  const remove = useOrganizationChange(() => organizationClient.remove_member({ user_id }));
  const isInvitation = status === 'invited' || status === 'expired';
  return (
    <AlertDialog
      open
      title={isInvitation ? t('Withdraw this invitation?') : t('Remove this member?')}
      confirmLabel={isInvitation ? t('Withdraw') : t('Remove')}
      busy={remove.isPending}
      onCancel={onClose}
      onConfirm={() => remove.mutate(undefined, { onSuccess: onClose })}
    >
      <p>
        {isInvitation
          ? t('The current invitation link for {email} stops working.', { email })
          : t(
              '{email} keeps the account and its mail as a personal account, but loses addresses at domains that others connected. Domains they connected themselves are disconnected.',
              { email },
            )}
      </p>
      <CallFailure title={t('Failed to delete organization user')} error={remove.error} />
    </AlertDialog>
  );
}
