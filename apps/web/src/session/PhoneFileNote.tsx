// A warning beside buttons that save a secret as a file in the native shell, where the download is
// not visible: anyone with the file has the secret, and signing out does not remove it.
import { t } from '../lib/language.ts';
import { isNative } from '../native/is-native.ts';

/** Renders the warning; nothing in a browser. */
export function PhoneFileNote() {
  if (!isNative()) return null;
  return (
    <p className="mt-2 text-meta text-ink-3">
      {t(
        'The file isn’t encrypted and stays when you sign out. On Android, it’s saved in Documents/Keyfold, where other apps may read it. Move it to a safe place soon.',
      )}
    </p>
  );
}
