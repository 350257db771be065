// How users can sign up: domains open for new accounts, invitations, and affiliates' codes with
// their counts.
import type { InvitationCode } from '@keyfold/contract';
import type { AdminLevel } from '@keyfold/contract/limits';
import { Plus } from 'lucide-react';
import { useState } from 'react';
import { t } from '../../../lib/language.ts';
import { formatCount, joinNames } from '../../../lib/words.ts';
import { Badge } from '../../../ui/Badge.tsx';
import { Button } from '../../../ui/Button.tsx';
import { InvitationDialog } from './InvitationDialog.tsx';
import { Moment } from './Moment.tsx';
import { useCodes, useRemoveInvitation } from './queries.ts';
import { RowsTable } from './RowsTable.tsx';
import { Section } from './Section.tsx';

const isOver = ({ uses_left, expires_at }: InvitationCode): boolean =>
  uses_left === 0 || (expires_at !== null && new Date(expires_at) <= new Date());

type InvitationTableProps = { invitations: readonly InvitationCode[]; mayChange: boolean };

function InvitationTable({ invitations, mayChange }: InvitationTableProps) {
  const remove = useRemoveInvitation();
  return (
    <RowsTable
      label={t('Invitations')}
      rows={invitations}
      idOf={row => row.id}
      columns={[
        {
          name: t('Code'),
          show: row => (
            <span dir="ltr" className="font-mono">
              {row.hint}-…
            </span>
          ),
        },
        { name: t('Note'), show: row => <span dir="auto">{row.note || '–'}</span> },
        {
          name: t('Uses left'),
          isNumber: true,
          show: row =>
            t('{left} of {all}', {
              left: formatCount(row.uses_left),
              all: formatCount(row.uses_allowed),
            }),
        },
        {
          name: t('Expires'),
          show: row =>
            isOver(row) ? (
              <Badge>{t('Ended')}</Badge>
            ) : row.expires_at === null ? (
              t('No expiry')
            ) : (
              <Moment at={row.expires_at} />
            ),
        },
      ]}
      actionsName={t('Actions')}
      actions={
        mayChange
          ? row => (
              <Button
                variant="quietDanger"
                size="xs"
                aria-label={t('Delete invitation {code}', { code: row.hint })}
                busy={remove.isPending && remove.variables === row.id}
                onClick={() => remove.mutate(row.id)}
              >
                {t('Delete')}
              </Button>
            )
          : undefined
      }
    />
  );
}

export function CodesSection({ level }: { level: AdminLevel }) {
  const [isMaking, setMaking] = useState(false);
  const mayChange = level !== 'readonly';
  return (
    <Section
      title={t('New accounts')}
      failed={t('Couldn’t load the codes')}
      query={useCodes()}
      action={
        mayChange && (
          <Button variant="outline" size="sm" onClick={() => setMaking(true)}>
            <Plus aria-hidden size={15} />
            {t('New invitation')}
          </Button>
        )
      }
    >
      {data => (
        <div className="flex flex-col gap-6">
          <p className="text-control text-ink-2">
            {data.invitation_needed
              ? t('An invitation code is required to create an account at {domains}.', {
                  domains: joinNames(data.domains),
                })
              : t('Anyone can create an account at {domains} without an invitation code.', {
                  domains: joinNames(data.domains),
                })}
          </p>
          <div>
            <h3 className="mb-1 text-base font-semibold">{t('Invitations')}</h3>
            {data.invitations.length === 0 ? (
              <p className="text-control text-ink-2">{t('No invitations yet.')}</p>
            ) : (
              <InvitationTable invitations={data.invitations} mayChange={mayChange} />
            )}
          </div>
          <div>
            <h3 className="mb-1 text-base font-semibold">{t('Affiliate codes')}</h3>
            {data.affiliates.length === 0 ? (
              <p className="text-control text-ink-2">
                {t('No affiliate codes yet. Create one on the server: npm run admin -- affiliate add CODE')}
              </p>
            ) : (
              <RowsTable
                label={t('Affiliate codes')}
                rows={data.affiliates}
                idOf={row => row.code}
                columns={[
                  { name: t('Code'), show: row => <span dir="auto">{row.code}</span> },
                  { name: t('Note'), show: row => <span dir="auto">{row.note || '–'}</span> },
                  { name: t('Accounts'), isNumber: true, show: row => formatCount(row.signups) },
                ]}
              />
            )}
          </div>
          {isMaking && <InvitationDialog onClose={() => setMaking(false)} />}
        </div>
      )}
    </Section>
  );
}
