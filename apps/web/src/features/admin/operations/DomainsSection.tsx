// The service's own domains and those that users claim: ownership proof, signing, and the result of
// the last DNS check.
import type { OperatedDomain } from '@keyfold/contract';
import { useState } from 'react';
import { t } from '../../../lib/language.ts';
import { Badge } from '../../../ui/Badge.tsx';
import { Pagination } from '../../../ui/Pagination.tsx';
import { Moment } from './Moment.tsx';
import { useDomains } from './queries.ts';
import { RowsTable } from './RowsTable.tsx';
import { Section } from './Section.tsx';

function Proof({ row }: { row: OperatedDomain }) {
  if (row.kind === 'service') return <Badge tone="info">{t('Service domain')}</Badge>;
  if (row.missing_since !== null) return <Badge tone="danger">{t('Record missing')}</Badge>;
  return row.verified_at === null ? (
    <Badge tone="warn">{t('Not verified yet')}</Badge>
  ) : (
    <Badge tone="success">{t('Verified')}</Badge>
  );
}

function Dkim({ row }: { row: OperatedDomain }) {
  const words = { ready: t('Signing mail'), waiting: t('Waiting for record'), none: t('No key') };
  return <Badge tone={row.dkim === 'ready' ? 'success' : 'neutral'}>{words[row.dkim]}</Badge>;
}

function Records({ row }: { row: OperatedDomain }) {
  if (row.healthy === null) return <>–</>;
  return row.healthy ? (
    <Badge tone="success">{t('Complete')}</Badge>
  ) : (
    <Badge tone="warn">{t('Incomplete')}</Badge>
  );
}

export function DomainsSection() {
  const [page, setPage] = useState(1);
  return (
    <Section title={t('Domains')} failed={t('Couldn’t load the domains')} query={useDomains(page)}>
      {data => (
        <div className="flex flex-col gap-3">
          <RowsTable
            label={t('Domains')}
            rows={data.domains.map((row, at) => ({ ...row, key: `${at} ${row.domain}` }))}
            idOf={row => row.key}
            columns={[
              { name: t('Domain'), show: row => <span dir="ltr">{row.domain}</span> },
              { name: t('Verification'), show: row => <Proof row={row} /> },
              { name: t('DKIM'), show: row => <Dkim row={row} /> },
              { name: t('Records'), show: row => <Records row={row} /> },
              {
                name: t('Last check'),
                show: row => (row.kind === 'service' ? '–' : <Moment at={row.checked_at} />),
              },
            ]}
          />
          {(data.has_more || page > 1) && (
            <Pagination page={page} pages={data.has_more ? page + 1 : page} onChange={setPage} />
          )}
        </div>
      )}
    </Section>
  );
}
