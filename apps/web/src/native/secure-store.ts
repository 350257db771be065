// The secure storage of the phone: the Keychain, which can be read while the phone is unlocked alone, or a file under a key of
// the Keystore. What lies here never goes into a backup or to another phone. In a browser there is none.
import { secureStorage } from './plugins.ts';

/** What is kept, by the names of docs/spec-map.md 3; `vault` is sealed under the session's client key even here. */
type SecureName = 'biometric_credentials' | 'vault';

/** KeychainAccess.whenPasscodeSetThisDeviceOnly: gone as soon as the phone has no lock any more. Android knows no such thing. */
const WHILE_LOCKED = 4;

const item = (name: SecureName) => ({ prefixedKey: `keyfold_${name}`, sync: false });

/** A text, or null when there is none. Rejects when the phone does not answer. */
export const findSecure = async (name: SecureName): Promise<string | null> =>
  (await secureStorage.internalGetItem(item(name))).data;

/** Keeps a text. Rejects when the phone has no lock, or no room. */
export const keepSecure = (name: SecureName, data: string): Promise<void> =>
  secureStorage.internalSetItem({ ...item(name), data, access: WHILE_LOCKED });

/** Removes a text; no failure when there is none. */
export async function forgetSecure(name: SecureName): Promise<void> {
  await secureStorage.internalRemoveItem(item(name));
}
