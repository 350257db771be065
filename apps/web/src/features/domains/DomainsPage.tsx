// `/app/config/domains` (docs/spec-map.md 2, 5, 7): the user's domains with their state, and adding
// one.
import { Globe, Plus } from 'lucide-react';
import { type FormEvent, useState } from 'react';
import { useNavigate } from 'react-router';
import { t } from '../../lib/language.ts';
import { settingsPath } from '../../paths.ts';
import { AskedFor } from '../../session/calls/AskedFor.tsx';
import { CallFailure } from '../../session/calls/CallFailure.tsx';
import { domainsClient } from '../../session/calls/clients/domains.ts';
import { useUser } from '../../session/state/current-user.ts';
import { Badge } from '../../ui/Badge.tsx';
import { Banner } from '../../ui/Banner.tsx';
import { Button } from '../../ui/Button.tsx';
import { EmptyState } from '../../ui/EmptyState.tsx';
import { Link } from '../../ui/Link.tsx';
import { SettingsPage } from '../../ui/SettingsPage.tsx';
import { TextField } from '../../ui/TextField.tsx';
import { useAddressChange, useDomains } from '../addresses/queries.ts';
import { PlansLink } from '../billing/PlansLink.tsx';
import { healthOf } from './domain-words.ts';

/** The domain is not part of the path, because its dot would look like a file extension. */
const pathOf = (domain: string): string =>
  `${settingsPath('domains/records')}?domain=${encodeURIComponent(domain)}`;

function AddDomain() {
  const [domain, setDomain] = useState('');
  const navigate = useNavigate();
  const register = useAddressChange(async () => {
    const { data } = await domainsClient.register({ domain });
    // Navigate at once: at the limit this form disappears when the domains are refetched.
    void navigate(pathOf(data.domain));
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (domain.trim() !== '') register.mutate(undefined);
  };
  return (
    <form noValidate onSubmit={submit} className="mb-5 flex flex-col gap-2">
      <div className="flex flex-wrap items-end gap-2">
        <div className="min-w-56 flex-1">
          <TextField
            label={t('Your domain')}
            placeholder="example.org"
            inputMode="url"
            autoComplete="off"
            autoCapitalize="none"
            spellCheck={false}
            value={domain}
            onChange={next => {
              setDomain(next);
              register.reset();
            }}
          />
        </div>
        <Button type="submit" size="field" busy={register.isPending}>
          <Plus size={15} />
          {t('Add domain')}
        </Button>
      </div>
      <CallFailure title={t('Failed to register domain')} error={register.error} />
    </form>
  );
}

export function DomainsPage() {
  const limit = useUser()?.plan_config.domain_limit ?? 0;
  const query = useDomains();
  const all = query.data;
  const isFull = all !== undefined && all.length >= limit;
  return (
    <SettingsPage
      title={t('Domains')}
      text={t('Use addresses at your own domain. You need to add a few DNS records where you manage it.')}
      action={
        all !== undefined && (
          <span className="text-control text-ink-2 tabular-nums">
            {t('{used} of {limit} used', { used: all.length, limit })}
          </span>
        )
      }
    >
      <AskedFor query={query} bars={['h-10 w-4/5', 'h-14 w-3/5']} text={t('Couldn’t load your domains.')}>
        {domains => (
          <>
            {isFull ? (
              <div className="mb-5">
                <Banner
                  tone="info"
                  icon={<Globe size={18} />}
                  title={t('You have reached your domain limit')}
                  below={<PlansLink />}
                >
                  {t('Delete a domain before you add another. Your existing domains aren’t affected.')}
                </Banner>
              </div>
            ) : (
              <AddDomain />
            )}
            {domains.length === 0 ? (
              <EmptyState
                icon={<Globe />}
                title={t('No domains yet')}
                text={t('Your addresses use this service’s own domain.')}
              />
            ) : (
              <ul aria-label={t('Domains')} className="rounded-card border border-line">
                {domains.map(info => {
                  const { word, tone } = healthOf(info);
                  return (
                    <li
                      key={info.domain}
                      className="flex min-h-13 flex-wrap items-center gap-x-3 gap-y-1 border-b border-line px-4 py-2.5 last:border-b-0"
                    >
                      <Link
                        alone
                        to={pathOf(info.domain)}
                        className="min-w-0 flex-1 [overflow-wrap:anywhere]"
                      >
                        <bdi>{info.domain}</bdi>
                      </Link>
                      {info.primary && <Badge tone="info">{t('Primary')}</Badge>}
                      {info.main && <Badge>{t('Main address')}</Badge>}
                      <Badge tone={tone}>{word}</Badge>
                    </li>
                  );
                })}
              </ul>
            )}
          </>
        )}
      </AskedFor>
    </SettingsPage>
  );
}
