// Invites a member: name, address and role, then the link to hand over. The invited user creates
// the keys after following the link.
import type { OrganizationRole } from '@keyfold/contract/limits';
import { NAME_MAX_CHARACTERS, USERNAME_MAX_CHARACTERS } from '@keyfold/contract/limits';
import { useState } from 'react';
import { t } from '../../lib/language.ts';
import { CallFailure } from '../../session/calls/CallFailure.tsx';
import { organizationClient } from '../../session/calls/clients/organization.ts';
import { findUsernameProblem, usernameHint } from '../../session/sign-in/address-names.ts';
import { inviteLink } from '../../session/sign-in/link-secrets.ts';
import { Button } from '../../ui/Button.tsx';
import { Dialog } from '../../ui/Dialog.tsx';
import { FormDialog } from '../../ui/FormDialog.tsx';
import { InlineSelect } from '../../ui/InlineSelect.tsx';
import { LinkView } from '../../ui/LinkView.tsx';
import { Select } from '../../ui/Select.tsx';
import { TextField } from '../../ui/TextField.tsx';
import { useConnectedDomains, useInviteDomains, useOrganizationChange } from './queries.ts';
import { roleHint, roleOptions } from './words.ts';

/** Shows the link of an invitation once. Open while mounted. */
export function InviteLinkDialog({
  secret,
  email,
  onClose,
}: {
  secret: string;
  email: string;
  onClose: () => void;
}) {
  return (
    <Dialog
      open
      onClose={onClose}
      title={t('Invitation link')}
      footer={<Button onClick={onClose}>{t('Done')}</Button>}
    >
      <div className="flex flex-col gap-3">
        <LinkView
          link={inviteLink(secret)}
          text={t(
            'Send this link to the person you’re inviting as {email}. They can create that account with their own password and keys or, if they’re signed in, join with their existing account. The link works once, expires in 7 days and won’t be shown again.',
            { email },
          )}
        />
      </div>
    </Dialog>
  );
}

type InviteDialogProps = {
  ownRole: OrganizationRole;
  onClose: () => void;
};

/** Open while mounted. */
export function InviteDialog({ ownRole, onClose }: InviteDialogProps) {
  const connected = useConnectedDomains().data?.map(({ domain }) => domain) ?? [];
  const domains = [...connected, ...(useInviteDomains().data ?? [])];
  const [name, setName] = useState('');
  const [username, setUsername] = useState('');
  const [chosen, setChosen] = useState('');
  const [role, setRole] = useState<OrganizationRole>('member');
  const domain = chosen || domains[0] || '';
  const invite = useOrganizationChange(() =>
    organizationClient.invite({ name: name.trim(), username: username.trim(), domain, role }),
  );
  if (invite.data !== undefined) {
    const { email, invite: secret } = invite.data.data;
    return <InviteLinkDialog secret={secret} email={email} onClose={onClose} />;
  }
  const problem = findUsernameProblem(username);
  const isWhole = name.trim() !== '' && problem === null && domain !== '';
  const change = (set: (text: string) => void) => (text: string) => {
    set(text);
    invite.reset();
  };
  return (
    <FormDialog
      title={t('Invite a member')}
      submitLabel={t('Create link')}
      isBusy={invite.isPending}
      disabled={!isWhole}
      onSubmit={() => isWhole && invite.mutate(undefined)}
      onClose={onClose}
    >
      <TextField
        autoFocus
        label={t('Name')}
        dir="auto"
        autoComplete="off"
        maxLength={NAME_MAX_CHARACTERS}
        value={name}
        onChange={change(setName)}
      />
      <TextField
        label={t('Address')}
        dir="ltr"
        autoComplete="off"
        autoCapitalize="none"
        spellCheck={false}
        maxLength={USERNAME_MAX_CHARACTERS}
        value={username}
        onChange={change(setUsername)}
        hint={t('{rules} They’ll always sign in with this address.', { rules: usernameHint() })}
        error={username.trim() === '' ? undefined : (problem ?? undefined)}
        end={
          <InlineSelect
            label={t('Domain')}
            value={domain}
            options={domains.map(one => ({ value: one, label: `@${one}` }))}
            onChange={setChosen}
          />
        }
      />
      {ownRole === 'owner' && (
        <div>
          <Select label={t('Role')} value={role} options={roleOptions()} onChange={setRole} />
          <p className="mt-1.5 text-meta text-ink-3">{roleHint(role)}</p>
        </div>
      )}
      <CallFailure title={t('Failed to create organization user')} error={invite.error} />
    </FormDialog>
  );
}
