// `/app/security/two-factor`: two-factor authentication with an authenticator app, passkeys and
// security keys, and the recovery codes that replace them. Each change has a separate dialog.
// docs/spec-map.md 4; docs/interface.md#settings.
import type { OwnPasskey, SecondFactorStatus } from '@keyfold/contract';
import { ShieldAlert, ShieldCheck } from 'lucide-react';
import { useState } from 'react';
import { Link } from 'react-router';
import { formatFullDate } from '../../lib/dates.ts';
import { sentenceGap, t } from '../../lib/language.ts';
import { securityPath } from '../../paths.ts';
import { AskedFor } from '../../session/calls/AskedFor.tsx';
import { useUser } from '../../session/state/current-user.ts';
import { keysRefusal } from '../../session/trust/factor-proof.ts';
import { Banner } from '../../ui/Banner.tsx';
import { Button } from '../../ui/Button.tsx';
import { Dialog } from '../../ui/Dialog.tsx';
import { SettingsPage } from '../../ui/SettingsPage.tsx';
import { SettingsRow } from '../../ui/SettingsRow.tsx';
import { showToast } from '../../ui/toasts.ts';
import { AddKeyDialog } from './AddKeyDialog.tsx';
import { useFactorChange, useSecondFactor } from './factor-queries.ts';
import { KeyList } from './KeyList.tsx';
import { ProveDialog } from './ProveDialog.tsx';
import { RecoveryCodesView } from './RecoveryCodesView.tsx';
import { RenameKeyDialog } from './RenameKeyDialog.tsx';
import { TotpSetupDialog } from './TotpSetupDialog.tsx';

/** With fewer codes than this, the page suggests creating new ones. */
const FEW_CODES = 3;

type OpenWindow =
  | { readonly kind: 'setup' | 'add' | 'off' | 'codes' }
  | { readonly kind: 'rename' | 'remove'; readonly passkey: OwnPasskey }
  | { readonly kind: 'shown'; readonly codes: readonly string[] };

function OpenDialog({
  open,
  email,
  onClose,
  onShow,
}: {
  open: OpenWindow;
  email: string;
  onClose: () => void;
  onShow: (codes: readonly string[]) => void;
}) {
  const change = useFactorChange();
  const shared = { isBusy: change.isPending, error: change.error, onClose };
  switch (open.kind) {
    case 'setup':
      return <TotpSetupDialog email={email} onClose={onClose} />;
    case 'add':
      return <AddKeyDialog email={email} onClose={onClose} />;
    case 'rename':
      return <RenameKeyDialog passkey={open.passkey} onClose={onClose} />;
    case 'shown':
      return (
        <Dialog open locked title={t('Your recovery codes')}>
          <RecoveryCodesView email={email} codes={open.codes} onDone={onClose} />
        </Dialog>
      );
    case 'codes':
      return (
        <ProveDialog
          {...shared}
          title={t('Create new recovery codes')}
          text={t('Your current codes stop working once you confirm that you saved the new ones.')}
          submitLabel={t('Create new codes')}
          passwordOf={email}
          onSubmit={(proof, password) =>
            change.mutate({ kind: 'new_codes', password, proof }, { onSuccess: onShow })
          }
        />
      );
    case 'off':
      return (
        <ProveDialog
          {...shared}
          danger
          title={t('Turn off the authenticator app')}
          text={t(
            'You’ll no longer be asked for its codes. Without another second factor, signing in requires only your password.',
          )}
          submitLabel={t('Turn off')}
          onSubmit={proof =>
            change.mutate(
              { kind: 'totp_off', proof },
              {
                onSuccess: () => {
                  onClose();
                  showToast({ tone: 'success', text: t('Authenticator app turned off') });
                },
              },
            )
          }
        />
      );
    case 'remove':
      return (
        <ProveDialog
          {...shared}
          danger
          title={t('Remove {name}', { name: open.passkey.name })}
          text={t(
            'You’ll no longer be able to sign in with this key. Without another second factor, signing in requires only your password.',
          )}
          submitLabel={t('Remove')}
          onSubmit={proof =>
            change.mutate(
              { kind: 'remove_key', id: open.passkey.id, proof },
              {
                onSuccess: () => {
                  onClose();
                  showToast({ tone: 'success', text: t('Key removed') });
                },
              },
            )
          }
        />
      );
  }
}

function Factors({ status, onOpen }: { status: SecondFactorStatus; onOpen: (open: OpenWindow) => void }) {
  const isOn = status.totp_active || status.passkeys.length > 0;
  const left = status.recovery_codes_left;
  const noKeys = status.has_passkeys
    ? keysRefusal()
    : t('Passkeys and security keys don’t work at an IP address. Open Keyfold at its host name.');
  return (
    <>
      <Banner
        tone={isOn ? 'secure' : 'warn'}
        icon={isOn ? <ShieldCheck size={16} /> : <ShieldAlert size={16} />}
        title={isOn ? t('Two-factor authentication is on') : t('Two-factor authentication is off')}
      >
        {isOn
          ? t('Signing in requires your password and a second factor.')
          : t('Signing in requires only your password.')}
      </Banner>
      <div className="mt-4">
        <SettingsRow
          label={t('Authenticator app')}
          text={
            status.totp_since === null
              ? t('An app on your phone that shows a new 6-digit code every 30 seconds.')
              : t('On since {date}', { date: formatFullDate(new Date(status.totp_since)) })
          }
        >
          {status.totp_active ? (
            <Button variant="quietDanger" onClick={() => onOpen({ kind: 'off' })}>
              {t('Turn off')}
            </Button>
          ) : (
            <Button variant="outline" onClick={() => onOpen({ kind: 'setup' })}>
              {t('Set up')}
            </Button>
          )}
        </SettingsRow>
        <SettingsRow
          label={t('Passkeys and security keys')}
          text={t(
            'A security key that you plug in or touch, or a passkey on your phone or computer. Fake sign-in pages can’t use either.',
          )}
        >
          <Button variant="outline" disabled={noKeys !== undefined} onClick={() => onOpen({ kind: 'add' })}>
            {t('Add key')}
          </Button>
        </SettingsRow>
        {noKeys !== undefined && <p className="py-2 text-control text-ink-2">{noKeys}</p>}
        <KeyList
          passkeys={status.passkeys}
          onRename={passkey => onOpen({ kind: 'rename', passkey })}
          onRemove={passkey => onOpen({ kind: 'remove', passkey })}
        />
        {isOn && (
          <SettingsRow
            label={t('Recovery codes')}
            text={
              <span className={left < FEW_CODES ? 'text-danger' : undefined}>
                {t('{count, plural, one {# of 10 codes left} other {# of 10 codes left}}', { count: left })}
                {!status.recovery_codes_confirmed && (
                  <span className="mt-1 block text-warn">
                    {t(
                      'You haven’t confirmed that you saved your new codes. If you didn’t see them, create new ones.',
                    )}
                  </span>
                )}
              </span>
            }
          >
            <Button variant="outline" onClick={() => onOpen({ kind: 'codes' })}>
              {t('Create new codes')}
            </Button>
          </SettingsRow>
        )}
      </div>
      {isOn && (
        <p className="mt-6 text-control text-ink-2">
          {t('Devices that are already signed in stay signed in.')}
          {sentenceGap()}
          <Link to={securityPath('sessions')} className="font-medium text-accent-text underline">
            {t('Review sessions')}
          </Link>
        </p>
      )}
    </>
  );
}

export function TwoFactorPage() {
  const user = useUser();
  const query = useSecondFactor();
  const [open, setOpen] = useState<OpenWindow>();
  if (user === null) return null;
  const close = () => setOpen(undefined);
  return (
    <SettingsPage
      title={t('Two-factor authentication')}
      text={t(
        'With a second factor, knowing your password isn’t enough to sign in. It doesn’t change encryption: your password alone unlocks your keys.',
      )}
    >
      <AskedFor query={query} bars={['h-48 w-full']} title={t('Couldn’t load two-factor authentication')}>
        {status => <Factors status={status} onOpen={setOpen} />}
      </AskedFor>
      {open !== undefined && (
        <OpenDialog
          key={open.kind}
          open={open}
          email={user.kdf_email}
          onClose={close}
          onShow={codes => setOpen({ kind: 'shown', codes })}
        />
      )}
    </SettingsPage>
  );
}
