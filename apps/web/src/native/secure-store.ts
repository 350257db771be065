// The phone's secure storage: the Keychain, readable only while the phone is unlocked, or a file
// encrypted under a Keystore key. Its contents never enter a backup or move to another phone.
// Browsers have no such storage.
import { secureStorage } from './plugins.ts';

/**
 * Names of the stored entries (docs/spec-map.md 3). `vault` is sealed under the session's client
 * key even here.
 */
type SecureName = 'biometric_credentials' | 'vault';

/**
 * KeychainAccess.whenPasscodeSetThisDeviceOnly: the entry is deleted when the phone's passcode is
 * removed. Android has no equivalent.
 */
const WHILE_LOCKED = 4;

const item = (name: SecureName) => ({ prefixedKey: `keyfold_${name}`, sync: false });

/** Returns a stored text, or null if there is none. Rejects when the phone does not answer. */
export const findSecure = async (name: SecureName): Promise<string | null> =>
  (await secureStorage.internalGetItem(item(name))).data;

/** Stores a text. Rejects when the phone has no passcode or no free space. */
export const keepSecure = (name: SecureName, data: string): Promise<void> =>
  secureStorage.internalSetItem({ ...item(name), data, access: WHILE_LOCKED });

/** Removes a text; does nothing if there is none. */
export async function forgetSecure(name: SecureName): Promise<void> {
  await secureStorage.internalRemoveItem(item(name));
}
