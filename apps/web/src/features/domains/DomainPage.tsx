// `/app/config/domains/records?domain=…` (docs/spec-map.md 7; docs/interpretations.md#65): the
// setup wizard of one domain. While the page is open, its records are checked twice a minute and
// their states update automatically.
import { ArrowLeft, Plus, RefreshCw } from 'lucide-react';
import { useState } from 'react';
import { useSearchParams } from 'react-router';
import { formatAgo, formatClock } from '../../lib/dates.ts';
import { sentenceGap, t } from '../../lib/language.ts';
import { useSecondsSince } from '../../lib/later.ts';
import { settingsPath } from '../../paths.ts';
import { AskedFor } from '../../session/calls/AskedFor.tsx';
import { CallFailure } from '../../session/calls/CallFailure.tsx';
import { Button } from '../../ui/Button.tsx';
import { Link } from '../../ui/Link.tsx';
import { SettingsPage } from '../../ui/SettingsPage.tsx';
import { Stepper } from '../../ui/Stepper.tsx';
import { NewAddressDialog } from '../addresses/NewAddressDialog.tsx';
import { useAddressCapabilities, useDomain, useDomainLooks } from '../addresses/queries.ts';
import { PlansLink } from '../billing/PlansLink.tsx';
import { DomainRecords } from './DomainRecords.tsx';
import { DomainSettings } from './DomainSettings.tsx';
import { stepNames, stepOf } from './domain-words.ts';

const MINUTE_SECONDS = 60;

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
        {room !== undefined && room.used >= room.limit && <PlansLink />}
        <Button size="sm" disabled={room?.can_create !== true} onClick={() => setMaking(true)}>
          <Plus size={15} />
          {t('New address')}
        </Button>
      </div>
      {addresses.length === 0 ? (
        <p className="text-control text-ink-2">{t('No addresses at this domain yet.')}</p>
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

/** Time of the last DNS check: the seconds since, later the clock time. */
function LastLook({ at }: { at: string | null }) {
  const seconds = useSecondsSince(at === null ? 0 : Date.parse(at));
  if (at === null) return t('Not checked yet.');
  return seconds < MINUTE_SECONDS
    ? t('Last checked {when}.', { when: formatAgo(seconds, 'second') })
    : t('Last checked at {time}.', { time: formatClock(new Date(at)) });
}

export function DomainPage() {
  const [search] = useSearchParams();
  const domain = search.get('domain') ?? '';
  const query = useDomain(domain);
  const look = useDomainLooks(domain);
  return (
    <SettingsPage
      title={domain}
      text={
        query.data &&
        t(
          'Add these records where you manage the domain. Keyfold checks them every 30 seconds and shows the result here.',
        )
      }
      action={
        query.data && (
          <Button size="sm" variant="outline" busy={look.isFetching} onClick={() => void look.refetch()}>
            {!look.isFetching && <RefreshCw size={15} />}
            {t('Check now')}
          </Button>
        )
      }
    >
      <p className="mb-4 text-control">
        <Link alone to={settingsPath('domains')}>
          <ArrowLeft aria-hidden size={15} className="rtl:-scale-x-100" />
          {t('All domains')}
        </Link>
      </p>
      <AskedFor query={query} bars={['h-10 w-full', 'h-48 w-full']} text={t('Couldn’t load the domain.')}>
        {info => (
          <>
            <Stepper named steps={stepNames()} current={stepOf(info)} />
            <div className="mt-5">
              <DomainRecords records={info.records} />
            </div>
            <p className="mt-3 text-control text-ink-2">
              <LastLook at={info.checked_at} />
              {sentenceGap()}
              {t('DNS changes can take up to 48 hours, usually a few minutes.')}
            </p>
            {look.error !== null && (
              <div className="mt-2 flex flex-wrap items-center gap-3">
                <CallFailure title={t('Couldn’t query DNS')} error={look.error} />
                <Button
                  size="xs"
                  variant="outline"
                  busy={look.isFetching}
                  onClick={() => void look.refetch()}
                >
                  {t('Try again')}
                </Button>
              </div>
            )}
            {info.verified && <DomainAddresses domain={info.domain} addresses={info.addresses} />}
            <DomainSettings info={info} />
          </>
        )}
      </AskedFor>
    </SettingsPage>
  );
}
