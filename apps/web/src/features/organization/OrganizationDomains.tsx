// The domains at which members have addresses: connect the user's own domain, and what ends when a
// domain is disconnected.
import type { ConnectedDomain } from '@keyfold/contract';
import { useState } from 'react';
import { sentenceGap, t } from '../../lib/language.ts';
import { settingsPath } from '../../paths.ts';
import { AskedFor } from '../../session/calls/AskedFor.tsx';
import { CallFailure } from '../../session/calls/CallFailure.tsx';
import { organizationClient } from '../../session/calls/clients/organization.ts';
import { AlertDialog } from '../../ui/AlertDialog.tsx';
import { Button } from '../../ui/Button.tsx';
import { Link } from '../../ui/Link.tsx';
import { useAvailableDomains, useConnectedDomains, useOrganizationChange } from './queries.ts';

const rowClass =
  'flex min-h-13 flex-wrap items-center gap-x-3 gap-y-1 border-b border-line px-4 py-2.5 last:border-b-0';

function DisconnectQuestion({ connection, onClose }: { connection: ConnectedDomain; onClose: () => void }) {
  const { addresses, domain } = connection;
  const disconnect = useOrganizationChange(() => organizationClient.disconnect({ domain }));
  return (
    <AlertDialog
      open
      title={t('Disconnect {domain}?', { domain })}
      confirmLabel={t('Disconnect')}
      busy={disconnect.isPending}
      onCancel={onClose}
      onConfirm={() => disconnect.mutate(undefined, { onSuccess: onClose })}
    >
      <p>
        {t(
          'The domain stays with the member who added it. Other members lose their addresses at it, and mail to those addresses is rejected. Members with no other address get one from this service. Sign-in and existing mail don’t change.',
        )}
      </p>
      {addresses.length > 0 && (
        <ul
          aria-label={t('Addresses that stop working')}
          className="mt-2 max-h-40 list-disc overflow-auto ps-5"
        >
          {addresses.map(address => (
            <li key={address}>
              <bdi>{address}</bdi>
            </li>
          ))}
        </ul>
      )}
      <CallFailure title={t('Failed to disconnect organization domain')} error={disconnect.error} />
    </AlertDialog>
  );
}

function ConnectedRow({ connection, canConnect }: { connection: ConnectedDomain; canConnect: boolean }) {
  const [isAsking, setAsking] = useState(false);
  const { addresses, domain, holder, is_own } = connection;
  return (
    <li className={rowClass}>
      <div className="min-w-0 flex-1 [overflow-wrap:anywhere]">
        <bdi className="font-medium">{domain}</bdi>
        <div className="text-meta text-ink-3">
          {is_own ? t('Your domain') : t('Added by {email}', { email: holder })}
          {' · '}
          {t('{count, plural, one {# member address} other {# member addresses}}', {
            count: addresses.length,
          })}
        </div>
      </div>
      {canConnect && (
        <Button
          variant="quietDanger"
          size="sm"
          aria-label={t('Disconnect {domain}', { domain })}
          onClick={() => setAsking(true)}
        >
          {t('Disconnect')}
        </Button>
      )}
      {isAsking && <DisconnectQuestion connection={connection} onClose={() => setAsking(false)} />}
    </li>
  );
}

function AvailableRow({ domain }: { domain: string }) {
  const connect = useOrganizationChange(() => organizationClient.connect({ domain }));
  return (
    <li className={rowClass}>
      <bdi className="min-w-0 flex-1 [overflow-wrap:anywhere]">{domain}</bdi>
      <Button
        variant="outline"
        size="sm"
        busy={connect.isPending}
        aria-label={t('Connect {domain}', { domain })}
        onClick={() => connect.mutate(undefined)}
      >
        {t('Connect')}
      </Button>
      {connect.error !== null && (
        <div className="basis-full">
          <CallFailure title={t('Failed to connect organization domain')} error={connect.error} />
        </div>
      )}
    </li>
  );
}

function AvailableDomains() {
  const query = useAvailableDomains();
  return (
    <div className="mt-4">
      <h4 className="mb-2 text-control font-medium text-ink-2">{t('Available domains')}</h4>
      <AskedFor
        query={query}
        bars={['h-13 w-full']}
        title={t('Failed to get available organization domains')}
      >
        {domains =>
          domains.length === 0 ? (
            <p className="text-control text-ink-2">
              {t('You have no other verified domains.')}
              {sentenceGap()}
              <Link to={settingsPath('domains')}>{t('Manage your domains')}</Link>
            </p>
          ) : (
            <ul aria-label={t('Available domains')} className="rounded-card border border-line">
              {domains.map(domain => (
                <AvailableRow key={domain} domain={domain} />
              ))}
            </ul>
          )
        }
      </AskedFor>
    </div>
  );
}

export function OrganizationDomains({ canConnect }: { canConnect: boolean }) {
  const query = useConnectedDomains();
  return (
    <section aria-labelledby="connected-domains">
      <h3 id="connected-domains" className="mb-1 text-pane font-semibold">
        {t('Connected domains')}
      </h3>
      <p className="mb-3 text-control text-ink-2">{t('New members can get addresses at these domains.')}</p>
      <AskedFor
        query={query}
        bars={['h-13 w-full']}
        title={t('Failed to get connected organization domains')}
      >
        {domains =>
          domains.length === 0 ? (
            <p className="text-control text-ink-2">{t('No domains are connected yet.')}</p>
          ) : (
            <ul aria-label={t('Connected domains')} className="rounded-card border border-line">
              {domains.map(connection => (
                <ConnectedRow key={connection.domain} connection={connection} canConnect={canConnect} />
              ))}
            </ul>
          )
        }
      </AskedFor>
      {canConnect && <AvailableDomains />}
    </section>
  );
}
