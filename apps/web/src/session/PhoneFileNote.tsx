// Said beside a button that saves a secret as a file in the shell of a phone, where nobody sees a download: whoever has the
// file has the secret, and signing out does not remove it.
import { t } from '../lib/language.ts';
import { isNative } from '../native/is-native.ts';

/** The words; nothing in a browser. */
export function PhoneFileNote() {
  if (!isNative()) return null;
  return (
    <p className="mt-2 text-meta text-ink-3">
      {t(
        'Nothing locks the file, and it stays when you sign out: on Android in Documents, folder Keyfold, where other programs may read it. Move it soon to where nobody else looks.',
      )}
    </p>
  );
}
