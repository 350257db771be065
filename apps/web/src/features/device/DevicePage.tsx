// `/app/config/device`: installing Keyfold on this device, handling mailto links, biometrics on a
// phone, offline data, and the version of the web client.
import { lazy, Suspense } from 'react';
import { t } from '../../lib/language.ts';
import { loadChunk } from '../../lib/load-chunk.ts';
import { useMedia } from '../../lib/media.ts';
import { isNative } from '../../native/is-native.ts';
import { canOpenMailLinks, install, openMailLinks, useInstallation } from '../../platform/installation.ts';
import { keepsMail } from '../../session/state/offline-account.ts';
import { Button } from '../../ui/Button.tsx';
import { SettingsPage } from '../../ui/SettingsPage.tsx';
import { SettingsRow } from '../../ui/SettingsRow.tsx';
import { OtherDeviceRow } from './OtherDeviceRow.tsx';
import { ProgramRows } from './ProgramRows.tsx';

const BiometricRow = lazy(async () => ({
  default: (await loadChunk('biometric-row', () => import('./BiometricRow.tsx'))).BiometricRow,
}));

function installationText(state: ReturnType<typeof useInstallation>): string {
  switch (state) {
    case 'installed':
      return t('Keyfold is installed on this device.');
    case 'offered':
      return t('Gives Keyfold its own window and icon.');
    case 'by-menu':
      return t('Choose “Install” or “Add to Home Screen” in your browser’s menu.');
  }
}

export function DevicePage() {
  const installation = useInstallation();
  const isTouch = useMedia('(pointer: coarse)');
  return (
    <SettingsPage title={t('App')} text={t('How Keyfold works on this device.')}>
      {isNative() ? (
        <Suspense>
          <BiometricRow />
        </Suspense>
      ) : (
        <SettingsRow label={t('Install Keyfold')} text={installationText(installation)}>
          {installation === 'offered' && (
            <Button variant="outline" onClick={() => void install()}>
              {t('Install')}
            </Button>
          )}
        </SettingsRow>
      )}
      {!isNative() && !isTouch && <OtherDeviceRow />}
      {!isNative() && canOpenMailLinks() && (
        <SettingsRow
          label={t('Mail links')}
          text={t(
            'Addresses you click on other sites open a new message in Keyfold. Your browser will ask you to confirm.',
          )}
        >
          <Button variant="outline" onClick={openMailLinks}>
            {t('Open with Keyfold')}
          </Button>
        </SettingsRow>
      )}
      <SettingsRow
        label={t('Offline reading')}
        text={
          keepsMail()
            ? t('Mail you’ve viewed is stored encrypted on this device. Your password unlocks it.')
            : t('Sign in with “Keep me signed in on this device” to read offline.')
        }
      >
        <span className="font-medium">{keepsMail() ? t('On') : t('Off')}</span>
      </SettingsRow>
      {!isNative() && <ProgramRows />}
    </SettingsPage>
  );
}
