// `/app/config/device`: Keyfold as a program on this device, mail links of other programs, biometrics on a phone, what is
// kept for reading without a connection, and which program this is.
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
      return t('Keyfold then has a window and an icon of its own.');
    case 'by-menu':
      return t('Choose “Install” or “Add to Home Screen” in the menu of your browser.');
  }
}

/** The page. */
export function DevicePage() {
  const installation = useInstallation();
  const isTouch = useMedia('(pointer: coarse)');
  return (
    <SettingsPage title={t('Program')} text={t('How Keyfold lives on this device.')}>
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
          text={t('Addresses that you press on other pages open a letter here. Your browser asks once more.')}
        >
          <Button variant="outline" onClick={openMailLinks}>
            {t('Open mail links with Keyfold')}
          </Button>
        </SettingsRow>
      )}
      <SettingsRow
        label={t('Reading offline')}
        text={
          keepsMail()
            ? t('Mail that you have seen is kept here, encrypted, and opens with your password.')
            : t('Sign in with “Keep me signed in on this device” to read without a connection.')
        }
      >
        <span className="font-medium">{keepsMail() ? t('On') : t('Off')}</span>
      </SettingsRow>
      {!isNative() && <ProgramRows />}
    </SettingsPage>
  );
}
