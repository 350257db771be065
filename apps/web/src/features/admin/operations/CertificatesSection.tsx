// The certificates that the service gets by itself: which names have one, and what keeps the others
// from getting one. Not shown where a proxy or a file provides the certificate.
import type { CertificateProblem, OperatedCertificate } from '@keyfold/contract';
import type { AdminLevel } from '@keyfold/contract/limits';
import { useState } from 'react';
import { t } from '../../../lib/language.ts';
import { Badge } from '../../../ui/Badge.tsx';
import { Button } from '../../../ui/Button.tsx';
import { Pagination } from '../../../ui/Pagination.tsx';
import { Moment } from './Moment.tsx';
import { useCertificates, useRenewCertificate } from './queries.ts';
import { RowsTable } from './RowsTable.tsx';
import { Section } from './Section.tsx';

const tones = {
  valid: 'success',
  waiting: 'neutral',
  renewal_failing: 'warn',
  failing: 'danger',
} as const;

function StateBadge({ state }: { state: OperatedCertificate['state'] }) {
  const words = {
    valid: t('Valid'),
    waiting: t('Waiting'),
    renewal_failing: t('Not renewed'),
    failing: t('No certificate'),
  };
  return <Badge tone={tones[state]}>{words[state]}</Badge>;
}

const problemText = (problem: CertificateProblem): string =>
  ({
    not_pointing: t('The DNS records of this name don’t lead to this server yet.'),
    no_address: t('This name has no address. Publish an A or AAAA record for it.'),
    dns: t('The DNS server didn’t answer. Check DNS_SERVERS.'),
    unreachable: t('The certificate authority didn’t answer. Allow outbound connections to port 443.'),
    refused: t('The certificate authority refused it. Make sure that port 80 is reachable from outside.'),
    invalid: t('The certificate authority issued a certificate that doesn’t match this name.'),
    internal: t('The server failed. The reason is in its log.'),
  })[problem];

function Name({ row }: { row: OperatedCertificate }) {
  return (
    <>
      <span dir="ltr">{row.name}</span>
      {row.problem !== null && (
        <p className="max-w-prose text-meta font-normal text-ink-2">
          {problemText(row.problem)}
          {row.detail !== null && (
            <span lang="en" dir="ltr" className="block break-words">
              {row.detail}
            </span>
          )}
        </p>
      )}
    </>
  );
}

export function CertificatesSection({ level }: { level: AdminLevel }) {
  const [page, setPage] = useState(1);
  const query = useCertificates(page);
  const renew = useRenewCertificate();
  if (query.data?.enabled !== true && query.error === null) return null;
  const button = ({ name }: OperatedCertificate) => (
    <Button
      variant="outline"
      size="xs"
      aria-label={t('Renew now: {name}', { name })}
      busy={renew.isPending && renew.variables === name}
      onClick={() => renew.mutate(name)}
    >
      {t('Renew now')}
    </Button>
  );
  return (
    <Section title={t('Certificates')} failed={t('Couldn’t load the certificates')} query={query}>
      {data => (
        <div className="flex flex-col gap-3">
          <RowsTable
            label={t('Certificates')}
            rows={data.certificates}
            idOf={row => row.name}
            columns={[
              { name: t('Host name'), show: row => <Name row={row} /> },
              { name: t('Status'), show: row => <StateBadge state={row.state} /> },
              { name: t('Expires'), show: row => (row.ends_at === null ? '–' : <Moment at={row.ends_at} />) },
              { name: t('Next attempt'), show: row => <Moment at={row.next_try_at} /> },
            ]}
            actions={level === 'readonly' ? undefined : button}
            actionsName={t('Actions')}
          />
          {(data.has_more || page > 1) && (
            <Pagination page={page} pages={data.has_more ? page + 1 : page} onChange={setPage} />
          )}
        </div>
      )}
    </Section>
  );
}
