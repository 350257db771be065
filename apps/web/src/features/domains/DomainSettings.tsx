// Settings of a verified domain: catch-all, primary domain, main address, signing key, and
// deletion.
import type { DomainInfo } from '@keyfold/contract';
import { useState } from 'react';
import { useNavigate } from 'react-router';
import { t } from '../../lib/language.ts';
import { settingsPath } from '../../paths.ts';
import { CallFailure } from '../../session/calls/CallFailure.tsx';
import { domainsClient } from '../../session/calls/clients/domains.ts';
import { useUser } from '../../session/state/current-user.ts';
import { AlertDialog } from '../../ui/AlertDialog.tsx';
import { Badge } from '../../ui/Badge.tsx';
import { Button } from '../../ui/Button.tsx';
import { Select } from '../../ui/Select.tsx';
import { SettingsRow } from '../../ui/SettingsRow.tsx';
import { Switch } from '../../ui/Switch.tsx';
import { useAddressChange } from '../addresses/queries.ts';

function CatchallRow({ domain, catchall }: DomainInfo) {
  const user = useUser();
  const change = useAddressChange((address: string) => domainsClient.catchall({ domain, address }));
  const own = user === null ? [] : [user.email, ...user.addresses];
  const first = user?.email ?? '';
  return (
    <>
      <SettingsRow
        label={t('Catch-all')}
        text={
          catchall === ''
            ? t('Mail to unknown addresses is rejected.')
            : t('Mail to unknown addresses goes to {address}.', { address: catchall })
        }
      >
        <div className="flex flex-wrap items-center gap-3">
          {catchall !== '' && own.length > 1 && (
            <Select
              hideLabel
              label={t('Catch-all address')}
              value={catchall}
              options={own.map(address => ({ value: address, label: address }))}
              onChange={address => change.mutate(address)}
            />
          )}
          <Switch
            label={t('Catch-all')}
            checked={catchall !== ''}
            disabled={change.isPending}
            onChange={isOn => change.mutate(isOn ? first : '')}
          />
        </div>
      </SettingsRow>
      <CallFailure title={t('Failed to change domain')} error={change.error} />
    </>
  );
}

function PrimaryRow({ domain, primary }: DomainInfo) {
  const home = useUser()?.kdf_email.split('@').at(-1) ?? '';
  const change = useAddressChange((to: string) => domainsClient.set_primary({ domain: to }));
  return (
    <>
      <SettingsRow label={t('Primary domain')} text={t('Suggested first when you create an address.')}>
        <Switch
          label={t('Primary domain')}
          checked={primary}
          disabled={change.isPending}
          onChange={isOn => change.mutate(isOn ? domain : home)}
        />
      </SettingsRow>
      <CallFailure title={t('Failed to set primary domain')} error={change.error} />
    </>
  );
}

function MainRow({ domain, main }: DomainInfo) {
  const user = useUser();
  const home = user?.kdf_email.split('@').at(-1) ?? '';
  const change = useAddressChange((to: string) => domainsClient.change_main({ domain: to }));
  return (
    <>
      <SettingsRow
        label={t('Main address')}
        text={t('Use this domain for the address that other people see. You still sign in with {address}.', {
          address: user?.kdf_email ?? '',
        })}
      >
        <Switch
          label={t('Main address')}
          checked={main}
          disabled={change.isPending}
          onChange={isOn => change.mutate(isOn ? domain : home)}
        />
      </SettingsRow>
      <CallFailure title={t('Failed to change domain')} error={change.error} />
    </>
  );
}

function KeyRow({ domain, records }: DomainInfo) {
  const change = useAddressChange(() => domainsClient.new_key({ domain }));
  const keys = records.filter(({ purpose }) => purpose === 'dkim');
  const isWaiting = keys.length > 1;
  return (
    <>
      <SettingsRow
        label={t('Signing key')}
        text={
          isWaiting
            ? t(
                'The new key is waiting for its DNS record. Until it is found, the previous key signs your mail.',
              )
            : t(
                'A new key takes effect once its DNS record is found. Keep the old record for a week after that.',
              )
        }
      >
        {isWaiting ? (
          <Badge tone="warn">{t('Waiting')}</Badge>
        ) : (
          <Button
            size="sm"
            variant="outline"
            busy={change.isPending}
            disabled={!keys.some(({ ok }) => ok)}
            onClick={() => change.mutate(undefined)}
          >
            {t('Create new key')}
          </Button>
        )}
      </SettingsRow>
      <CallFailure title={t('Couldn’t create the key')} error={change.error} />
    </>
  );
}

function DeleteRow({ domain, primary, addresses }: DomainInfo) {
  const [isAsking, setAsking] = useState(false);
  const navigate = useNavigate();
  const remove = useAddressChange(async () => {
    await domainsClient.remove({ domain });
    // Navigate before queries are refetched: this page would request the deleted domain.
    void navigate(settingsPath('domains'));
  });
  const close = () => setAsking(false);
  return (
    <>
      <SettingsRow
        label={t('Delete domain')}
        text={
          primary
            ? t('Cannot delete primary domain. Please set another domain as primary first.')
            : t('This also deletes its addresses.')
        }
      >
        <Button size="sm" variant="quietDanger" disabled={primary} onClick={() => setAsking(true)}>
          {t('Delete')}
        </Button>
      </SettingsRow>
      <CallFailure title={t('Failed to delete domain')} error={remove.error} />
      {isAsking && (
        <AlertDialog
          open
          title={t('Delete {domain}?', { domain })}
          confirmLabel={t('Delete')}
          cancelLabel={t('Cancel')}
          busy={remove.isPending}
          onCancel={close}
          onConfirm={() => remove.mutate(undefined, { onError: close })}
        >
          {addresses.length === 0
            ? t('Mail to this domain will be rejected.')
            : t(
                '{count, plural, one {Its address is deleted too, and mail to the domain will be rejected.} other {Its # addresses are deleted too, and mail to the domain will be rejected.}}',
                { count: addresses.length },
              )}
        </AlertDialog>
      )}
    </>
  );
}

export function DomainSettings({ info }: { info: DomainInfo }) {
  return (
    <div className="mt-6 rounded-card border border-line px-4">
      {info.verified && (
        <>
          <CatchallRow {...info} />
          <PrimaryRow {...info} />
          <MainRow {...info} />
          <KeyRow {...info} />
        </>
      )}
      <DeleteRow {...info} />
    </div>
  );
}
