// Moves from a computer to a phone: shows this server's address as a QR code, and how to add
// Keyfold to the phone's home screen.
import { sentenceGap, t } from '../../lib/language.ts';
import { addressElsewhere } from '../../platform/installation.ts';
import { QrCode } from '../../ui/QrCode.tsx';
import { SettingsRow } from '../../ui/SettingsRow.tsx';

export function OtherDeviceRow() {
  const address = addressElsewhere(location);
  if (address === null)
    return (
      <SettingsRow
        label={t('Get Keyfold on your phone')}
        text={t(
          'The current address only works on this computer. To see a QR code here, open Keyfold at an address your phone can reach.',
        )}
      >
        {null}
      </SettingsRow>
    );
  return (
    <SettingsRow
      label={t('Get Keyfold on your phone')}
      text={
        <>
          {t(
            'Scan this with your phone’s camera, then choose “Install” or “Add to Home Screen” in its browser’s menu:',
          )}
          {sentenceGap()}
          <bdi dir="ltr" className="[overflow-wrap:anywhere]">
            {address}
          </bdi>
        </>
      }
    >
      <div className="size-40 overflow-hidden rounded-card border border-line">
        <QrCode text={address} label={t('QR code with the address of this server')} />
      </div>
    </SettingsRow>
  );
}
