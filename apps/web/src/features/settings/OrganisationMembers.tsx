// Who belongs to the organisation, and inviting more.
import type { Organization } from '@keyfold/contract';
import { UserPlus } from 'lucide-react';
import { useState } from 'react';
import { t } from '../../lib/language.ts';
import { Button } from '../../ui/Button.tsx';
import { AskedFor } from './AskedFor.tsx';
import { InviteDialog } from './InviteDialog.tsx';
import { MemberRow } from './MemberRow.tsx';
import { useMembers } from './organisation-queries.ts';
import { PlansLink } from './PlansLink.tsx';

interface OrganisationMembersProps {
  organisation: Organization;
  can: readonly string[];
}

/** The section. */
export function OrganisationMembers({ organisation, can }: OrganisationMembersProps) {
  const query = useMembers();
  const [isInviting, setInviting] = useState(false);
  const used = organisation.members + organisation.invited;
  const isFull = used >= organisation.member_limit;
  return (
    <section aria-labelledby="members">
      <div className="mb-3 flex flex-wrap items-center gap-3">
        <h3 id="members" className="min-w-0 flex-1 text-pane font-semibold">
          {t('Members')}
        </h3>
        {can.includes('invite') && (
          <>
            <span className="text-control text-ink-2 tabular-nums">
              {t('{used} of {limit} used', { used, limit: organisation.member_limit })}
            </span>
            {isFull && <PlansLink />}
            <Button size="sm" disabled={isFull} onClick={() => setInviting(true)}>
              <UserPlus size={15} />
              {t('Invite')}
            </Button>
          </>
        )}
      </div>
      <AskedFor
        query={query}
        bars={['h-14 w-full', 'h-14 w-full']}
        title={t('Failed to get organization user')}
      >
        {members => (
          <ul aria-label={t('Members')} className="rounded-card border border-line">
            {members.map(member => (
              <MemberRow key={member.user_id} member={member} ownRole={organisation.role} can={can} />
            ))}
          </ul>
        )}
      </AskedFor>
      {isInviting && <InviteDialog ownRole={organisation.role} onClose={() => setInviting(false)} />}
    </section>
  );
}
