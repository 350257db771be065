// The members of the organization, and inviting more.
import type { Organization } from '@keyfold/contract';
import { UserPlus } from 'lucide-react';
import { useState } from 'react';
import { t } from '../../lib/language.ts';
import { AskedFor } from '../../session/calls/AskedFor.tsx';
import { Button } from '../../ui/Button.tsx';
import { PlansLink } from '../billing/PlansLink.tsx';
import { InviteDialog } from './InviteDialog.tsx';
import { MemberRow } from './MemberRow.tsx';
import { useMembers } from './queries.ts';

type OrganizationMembersProps = {
  organization: Organization;
  can: readonly string[];
};

export function OrganizationMembers({ organization, can }: OrganizationMembersProps) {
  const query = useMembers();
  const [isInviting, setInviting] = useState(false);
  const { used, members, invited, member_limit: limit } = organization;
  const isFull = used >= limit;
  return (
    <section aria-labelledby="members">
      <div className="mb-3 flex flex-wrap items-center gap-3">
        <h3 id="members" className="min-w-0 flex-1 text-pane font-semibold">
          {t('Members')}
        </h3>
        {can.includes('invite') && (
          <>
            <span className="text-control text-ink-2 tabular-nums">
              {t('{used} of {limit} used', { used, limit })}
            </span>
            {isFull && <PlansLink />}
            <Button size="sm" disabled={isFull} onClick={() => setInviting(true)}>
              <UserPlus size={15} />
              {t('Invite')}
            </Button>
          </>
        )}
      </div>
      {can.includes('invite') && (invited > 0 || used > members) && (
        <p className="mb-3 text-control text-ink-2">
          {used > members + invited
            ? t('Pending invitations and everyone who ever joined by invitation count toward the limit.')
            : t('Pending invitations count toward the limit.')}
        </p>
      )}
      <AskedFor
        query={query}
        bars={['h-14 w-full', 'h-14 w-full']}
        title={t('Failed to get organization user')}
      >
        {members => (
          <ul aria-label={t('Members')} className="rounded-card border border-line">
            {members.map(member => (
              <MemberRow key={member.user_id} member={member} ownRole={organization.role} can={can} />
            ))}
          </ul>
        )}
      </AskedFor>
      {isInviting && <InviteDialog ownRole={organization.role} onClose={() => setInviting(false)} />}
    </section>
  );
}
