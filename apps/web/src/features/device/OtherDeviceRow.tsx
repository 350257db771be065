// The way from a computer to the phone: this server's address as a QR code, and how it gets to the home screen there.
import { t } from '../../lib/language.ts';
import { addressElsewhere } from '../../platform/installation.ts';
import { QrCode } from '../../ui/QrCode.tsx';
import { SettingsRow } from '../../ui/SettingsRow.tsx';

/** The row. */
export function OtherDeviceRow() {
  const address = addressElsewhere(location);
  if (address === null)
    return (
      <SettingsRow
        label={t('Put Keyfold on your phone')}
        text={t(
          'The address in use leads to this computer alone. Open Keyfold at an address that your phone can reach to get its QR code here.',
        )}
      >
        {null}
      </SettingsRow>
    );
  return (
    <SettingsRow
      label={t('Put Keyfold on your phone')}
      text={
        <>
          {t(
            'Scan this with the camera of your phone, then choose “Install” or “Add to Home Screen” in the menu of its browser:',
          )}{' '}
          <bdi dir="ltr" className="[overflow-wrap:anywhere]">
            {address}
          </bdi>
        </>
      }
    >
      <div className="size-40 overflow-hidden rounded-card border border-line">
        <QrCode text={address} label={t('QR code of the address of this server')} />
      </div>
    </SettingsRow>
  );
}
