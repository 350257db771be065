// Access to the plugins of the shell, by the names of their native implementations. The plugins'
// own JavaScript is not loaded: it is for browsers, which never load this directory. The plugins'
// types define the available calls.
import type {
  AuthenticateOptions,
  BiometryErrorType,
  CheckBiometryResult,
} from '@aparajita/capacitor-biometric-auth';
import type { AppPlugin } from '@capacitor/app';
import { Capacitor, registerPlugin } from '@capacitor/core';
import type { DevicePlugin } from '@capacitor/device';
import type { FilesystemPlugin } from '@capacitor/filesystem';
import type { PushNotificationsPlugin } from '@capacitor/push-notifications';
import type { SharePlugin } from '@capacitor/share';
import type { BadgePlugin } from '@capawesome/capacitor-badge';

/** Error of a failed plugin call. */
export type PluginFailure = { readonly message?: string; readonly code?: BiometryErrorType | string };

type BiometryPlugin = {
  readonly checkBiometry: () => Promise<CheckBiometryResult>;
  readonly internalAuthenticate: (options: AuthenticateOptions) => Promise<void>;
};

type Item = { readonly prefixedKey: string; readonly sync: boolean };

type SecureStoragePlugin = {
  readonly internalGetItem: (item: Item) => Promise<{ readonly data: string | null }>;
  readonly internalSetItem: (
    item: Item & { readonly data: string; readonly access: number },
  ) => Promise<void>;
  readonly internalRemoveItem: (item: Item) => Promise<{ readonly success: boolean }>;
};

export const app = registerPlugin<Pick<AppPlugin, 'addListener' | 'exitApp' | 'getLaunchUrl'>>('App');
export const biometry = registerPlugin<BiometryPlugin>('BiometricAuthNative');
export const badge = registerPlugin<Pick<BadgePlugin, 'clear' | 'set'>>('Badge');
export const device = registerPlugin<Pick<DevicePlugin, 'getInfo'>>('Device');
export const files =
  registerPlugin<
    Pick<FilesystemPlugin, 'appendFile' | 'deleteFile' | 'readdir' | 'rmdir' | 'stat' | 'writeFile'>
  >('Filesystem');
export const push = registerPlugin<PushNotificationsPlugin>('PushNotifications');
export const share = registerPlugin<Pick<SharePlugin, 'share'>>('Share');
export const secureStorage = registerPlugin<SecureStoragePlugin>('SecureStorage');

/** Returns the URL from which the page can fetch a file that another program shared. */
export const fileAddress = (uri: string): string => Capacitor.convertFileSrc(uri);

export const platform = (): string => Capacitor.getPlatform();
