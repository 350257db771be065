// One member or invitation: identity, role, and the actions available to the current user.
import type { OrganizationMember } from '@keyfold/contract';
import { ORGANIZATION_ROLES, type OrganizationRole } from '@keyfold/contract/limits';
import { KeyRound, Link2, MoreHorizontal, UserCog, UserMinus } from 'lucide-react';
import { useState } from 'react';
import { sentenceGap, t } from '../../lib/language.ts';
import { useUser } from '../../session/state/current-user.ts';
import { Avatar } from '../../ui/Avatar.tsx';
import { Badge } from '../../ui/Badge.tsx';
import { IconButton } from '../../ui/IconButton.tsx';
import { Menu } from '../../ui/Menu.tsx';
import { MenuItem } from '../../ui/MenuItem.tsx';
import { NewLinkDialog, RemoveMemberQuestion, ResetQuestion, RoleDialog } from './MemberDialogs.tsx';
import { memberLine, roleWord } from './words.ts';

type Question = 'link' | 'remove' | 'reset' | 'role';

type MemberRowProps = {
  member: OrganizationMember;
  ownRole: OrganizationRole;
  can: readonly string[];
};

const isAbove = (own: OrganizationRole, other: OrganizationRole): boolean =>
  ORGANIZATION_ROLES.indexOf(own) > ORGANIZATION_ROLES.indexOf(other);

/** A list item. */
export function MemberRow({ member, ownRole, can }: MemberRowProps) {
  const [question, setQuestion] = useState<Question | null>(null);
  const isOneself = useUser()?.email === member.email;
  const { email, name, role, status } = member;
  const isInvitation = status === 'invited' || status === 'expired';
  const isManaged = ownRole === 'owner' || isAbove(ownRole, role);
  const canRole = can.includes('set_roles') && !isInvitation;
  // A reset gives access to an account, so not even an owner can reset another owner.
  const canReset = can.includes('reset_password') && isAbove(ownRole, role) && !isInvitation && !isOneself;
  const canRemove = can.includes('remove_users') && isManaged && !isOneself;
  const canLink = can.includes('invite') && isManaged && isInvitation;
  const close = () => setQuestion(null);
  const line = memberLine(member);
  return (
    <li className="flex flex-wrap items-center gap-x-3 gap-y-1 border-b border-line px-4 py-2.5 last:border-b-0">
      <span aria-hidden className="max-pane:hidden">
        <Avatar name={name} />
      </span>
      <div className="min-w-36 flex-1">
        <div className="font-medium [overflow-wrap:anywhere]">
          <span dir="auto">{name}</span>
          {sentenceGap()}
          {isOneself && <span className="font-normal text-ink-3">{t('(you)')}</span>}
        </div>
        <div className="text-meta text-ink-3 [overflow-wrap:anywhere]">
          <bdi>{email}</bdi>
          {line !== '' && <span className="block">{line}</span>}
        </div>
      </div>
      {/* On a phone these controls wrap to the next line together, never separately. */}
      <div className="ms-auto flex items-center gap-2">
        {status === 'suspended' && <Badge tone="warn">{t('Suspended')}</Badge>}
        {isInvitation && (
          <Badge tone={status === 'invited' ? 'warn' : 'danger'}>
            {status === 'invited' ? t('Invited') : t('Expired')}
          </Badge>
        )}
        <Badge tone={role === 'member' ? 'neutral' : 'info'}>{roleWord(role)}</Badge>
        {(canRole || canReset || canRemove || canLink) && (
          <Menu
            trigger={
              <IconButton tip={false} label={t('More actions for {name}', { name: email })}>
                <MoreHorizontal size={16} />
              </IconButton>
            }
          >
            {canRole && (
              <MenuItem icon={<UserCog size={16} />} onSelect={() => setQuestion('role')}>
                {t('Change role')}
              </MenuItem>
            )}
            {canReset && (
              <MenuItem icon={<KeyRound size={16} />} onSelect={() => setQuestion('reset')}>
                {t('Reset password')}
              </MenuItem>
            )}
            {canLink && (
              <MenuItem icon={<Link2 size={16} />} onSelect={() => setQuestion('link')}>
                {t('New link')}
              </MenuItem>
            )}
            {canRemove && (
              <MenuItem danger icon={<UserMinus size={16} />} onSelect={() => setQuestion('remove')}>
                {isInvitation ? t('Withdraw') : t('Remove')}
              </MenuItem>
            )}
          </Menu>
        )}
      </div>
      {question === 'role' && <RoleDialog member={member} onClose={close} />}
      {question === 'reset' && <ResetQuestion member={member} onClose={close} />}
      {question === 'link' && <NewLinkDialog member={member} onClose={close} />}
      {question === 'remove' && <RemoveMemberQuestion member={member} onClose={close} />}
    </li>
  );
}
