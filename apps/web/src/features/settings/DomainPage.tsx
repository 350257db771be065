// `/app/config/domains/records?domain=…` (Spec §7; readings 65): the wizard of one domain. Its records are looked at twice a minute
// while the page is open, and turn by themselves.
import { ArrowLeft, Plus, RefreshCw } from 'lucide-react';
import { useState } from 'react';
import { useSearchParams } from 'react-router';
import { formatClock } from '../../lib/dates.ts';
import { t } from '../../lib/language.ts';
import { settingsPath } from '../../paths.ts';
import { callErrorText } from '../../session/error-text.ts';
import { Button } from '../../ui/Button.tsx';
import { ErrorState } from '../../ui/ErrorState.tsx';
import { Link } from '../../ui/Link.tsx';
import { Skeleton } from '../../ui/Skeleton.tsx';
import { Stepper } from '../../ui/Stepper.tsx';
import { useAddressCapabilities, useDomain, useDomainLooks } from './address-queries.ts';
import { CallFailure } from './CallFailure.tsx';
import { DomainRecords } from './DomainRecords.tsx';
import { DomainSettings } from './DomainSettings.tsx';
import { stepNames, stepOf } from './domain-words.ts';
import { NewAddressDialog } from './NewAddressDialog.tsx';
import { SettingsPage } from './SettingsPage.tsx';

function DomainAddresses({ domain, addresses }: { domain: string; addresses: readonly string[] }) {
  const { data: room } = useAddressCapabilities();
  const [isMaking, setMaking] = useState(false);
  return (
    <section aria-labelledby="domain-addresses" className="mt-6">
      <div className="mb-2 flex flex-wrap items-center gap-3">
        <h2 id="domain-addresses" className="flex-1 text-pane font-semibold">
          {t('Addresses')}
        </h2>
        {room !== undefined && (
          <span className="text-control text-ink-2 tabular-nums">
            {t('{used} of {limit} used', { used: room.used, limit: room.limit })}
          </span>
        )}
        <Button size="sm" disabled={room?.can_create !== true} onClick={() => setMaking(true)}>
          <Plus size={15} />
          {t('New address')}
        </Button>
      </div>
      {addresses.length === 0 ? (
        <p className="text-control text-ink-2">{t('No address at this domain yet.')}</p>
      ) : (
        <ul className="rounded-card border border-line">
          {addresses.map(address => (
            <li
              key={address}
              className="border-b border-line px-4 py-2.5 [overflow-wrap:anywhere] last:border-b-0"
            >
              <bdi>{address}</bdi>
            </li>
          ))}
        </ul>
      )}
      {isMaking && <NewAddressDialog domains={[domain]} onClose={() => setMaking(false)} />}
    </section>
  );
}

/** The page. */
export function DomainPage() {
  const [query] = useSearchParams();
  const domain = query.get('domain') ?? '';
  const { data: info, error, isFetching, refetch } = useDomain(domain);
  const look = useDomainLooks(domain);
  return (
    <SettingsPage
      title={domain}
      text={t('Add these records where you manage the domain. We check every 30 seconds and tell you here.')}
      action={
        <Button size="sm" variant="outline" busy={look.isFetching} onClick={() => void look.refetch()}>
          {!look.isFetching && <RefreshCw size={15} />}
          {t('Check now')}
        </Button>
      }
    >
      <p className="mb-4 text-control">
        <Link to={settingsPath('domains')} className="inline-flex items-center gap-1.5">
          <ArrowLeft aria-hidden size={15} className="rtl:-scale-x-100" />
          {t('All domains')}
        </Link>
      </p>
      {info === undefined && error === null && (
        <div aria-busy className="flex flex-col gap-3">
          <Skeleton className="h-10 w-full" />
          <Skeleton className="h-48 w-full" />
        </div>
      )}
      {error !== null && info === undefined && (
        <ErrorState
          title={callErrorText(error)}
          text={t('The domain could not be fetched.')}
          busy={isFetching}
          onRetry={() => void refetch()}
        />
      )}
      {info !== undefined && (
        <>
          <Stepper named steps={stepNames()} current={stepOf(info)} />
          <div className="mt-5">
            <DomainRecords records={info.records} />
          </div>
          <p role="status" className="mt-3 text-control text-ink-2">
            {info.checked_at === null
              ? t('Not checked yet.')
              : t('Last checked at {time}.', { time: formatClock(new Date(info.checked_at)) })}{' '}
            {t('DNS changes can take up to 48 hours, usually a few minutes.')}
          </p>
          <CallFailure title={t('The records could not be checked')} error={look.error} />
          {info.verified && <DomainAddresses domain={info.domain} addresses={info.addresses} />}
          <DomainSettings info={info} />
        </>
      )}
    </SettingsPage>
  );
}
