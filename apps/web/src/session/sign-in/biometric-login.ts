// Biometric sign-in (docs/spec-map.md 4, 8, 9; ADR 39). A server token and a vault sealed under the
// client key are in the phone's secure storage. Local storage records their owner and expiry, so
// that neither is accessed before the user is asked. Opt-in only, never enabled silently. Loaded
// only in the native shell.
import { CallError } from '@keyfold/contract/client';
import { z } from 'zod';
import { keys, lockKeys } from '../../crypto/key-client.ts';
import { KeysMissing } from '../../crypto/keys/keys-missing.ts';
import { t } from '../../lib/language.ts';
import {
  askSensor,
  BiometricFailure,
  biometricTexts,
  findSensor,
  type Sensor,
} from '../../native/biometry.ts';
import { isNative } from '../../native/is-native.ts';
import { findSecure, forgetSecure, keepSecure } from '../../native/secure-store.ts';
import { findStored, forgetKeptSession, forgetStored, keepStored } from '../../platform/storage.ts';
import { authClient } from '../calls/clients/auth.ts';
import { biometricsClient } from '../calls/clients/biometrics.ts';
import { enterAs } from '../session.ts';
import { getUser } from '../state/current-user.ts';
import { keepsMail } from '../state/offline-account.ts';

/** Data available without prompting the user. */
const notice = z.object({ email: z.string(), expiresAt: z.number() });
type BiometricNotice = z.infer<typeof notice>;
/** Data available only after the prompt. */
const credentials = notice.extend({ token: z.string() });

function parse<T>(schema: z.ZodType<T>, text: string | null): T | null {
  try {
    return text === null ? null : schema.parse(JSON.parse(text));
  } catch {
    return null;
  }
}

/** Returns whether biometric sign-in is on for this phone. */
export const isBiometricOn = (): boolean => findStored('biometric_enabled') === 'true';

/** Returns its owner and expiry, or null if it is off. */
export const findBiometricNotice = (): BiometricNotice | null =>
  isBiometricOn() ? parse(notice, findStored('biometric_credentials')) : null;

/**
 * Revokes the token at the server first, if that is reachable. If the page closes meanwhile, the
 * next start does it.
 */
async function clean(): Promise<void> {
  const kept = parse(credentials, await findSecure('biometric_credentials').catch(() => null));
  if (kept !== null) await biometricsClient.turn_off({ token: kept.token }).catch(() => undefined);
  await Promise.all(
    [forgetSecure('biometric_credentials'), forgetSecure('vault')].map(gone => gone.catch(() => undefined)),
  );
}

let cleaning: Promise<void> = Promise.resolve();

/** Removes all biometric data from this phone and from the server, one removal at a time. */
export function dropBiometrics(): Promise<void> {
  forgetStored('biometric_enabled');
  forgetStored('biometric_credentials');
  cleaning = cleaning.then(clean);
  return cleaning;
}

/** Removes what an earlier sign-out, or an earlier installation, left in the secure storage. */
export async function dropLeftovers(): Promise<void> {
  if (!isBiometricOn()) await dropBiometrics();
}

/**
 * Ends biometric sign-in here, then throws the reason. The session that it protected ends too:
 * without biometrics, the next start would resume the session for anyone who holds the phone.
 * Afterwards only the password signs in, with or without the server.
 */
async function end(failure: BiometricFailure): Promise<never> {
  // First the steps that need no response: from here on nothing on this phone opens the session,
  // even if the app closes now.
  forgetStored('vault');
  forgetKeptSession();
  const dropped = dropBiometrics();
  await authClient.logout({}).catch(() => undefined);
  await lockKeys();
  await dropped;
  throw failure;
}

/**
 * Returns the sensor if biometrics can sign in now. Otherwise rejects with BiometricFailure;
 * expired biometrics are turned off.
 */
export async function findBiometricSignin(): Promise<Sensor> {
  if (!isNative()) throw new BiometricFailure(biometricTexts.notOnWeb);
  if (!isBiometricOn()) throw new BiometricFailure(biometricTexts.notEnabled);
  const known = findBiometricNotice();
  if (known === null) return end(new BiometricFailure(biometricTexts.noCredentials, { ends: true }));
  if (known.expiresAt <= Date.now()) return end(new BiometricFailure(biometricTexts.expired, { ends: true }));
  const sensor = await findSensor();
  return sensor.failure?.ends === true ? end(sensor.failure) : sensor;
}

/** Returns whether the server gave no verdict, so that nothing is known about the token. */
const isUnanswered = (error: unknown): boolean => error instanceof CallError && error.status !== 401;

/**
 * Signs in: asks the user, then checks the session, the stored vault, and its owner; a failure
 * there turns biometrics off. Rejects with BiometricFailure, or with CallError or KeysMissing when
 * the server gave no answer.
 */
export async function signInByBiometrics(): Promise<void> {
  await findBiometricSignin();
  try {
    await askSensor(t('Unlock your mail'), t('Cancel'));
  } catch (error) {
    if (error instanceof BiometricFailure && error.ends) return end(error);
    throw error;
  }
  const kept = parse(credentials, await findSecure('biometric_credentials').catch(() => null));
  if (kept === null) return end(new BiometricFailure(biometricTexts.noCredentials, { ends: true }));
  const { email, token } = kept;
  const user = await biometricsClient.enter({ email, token, keep_signed_in: keepsMail() }).then(
    ({ data }) => data,
    error => {
      if (isUnanswered(error)) throw error;
      return end(new BiometricFailure(biometricTexts.sessionExpired, { ends: true }));
    },
  );
  try {
    const vault = await findSecure('vault').catch(() => null);
    if (vault === null) throw new BiometricFailure(biometricTexts.noVault, { ends: true });
    const facts = await keys()
      .importVault(user.client_key, vault)
      .catch(error => {
        if (error instanceof KeysMissing) throw error;
        throw new BiometricFailure(biometricTexts.noVault, { ends: true });
      });
    if (facts.email !== user.kdf_email || user.kdf_email !== findBiometricNotice()?.email)
      throw new BiometricFailure(biometricTexts.otherEmail, { ends: true });
    if (facts.keyId !== user.main_key.key_id)
      throw new BiometricFailure(biometricTexts.sessionExpired, { ends: true });
  } catch (error) {
    if (error instanceof BiometricFailure) return end(error);
    throw error;
  }
  await enterAs(user, keepsMail());
}

/**
 * Turns biometrics on for the signed-in user, for 7 days, or 30 if the user stays signed in; asks
 * the user first. Rejects with BiometricFailure and CallError.
 */
export async function turnBiometricsOn(): Promise<void> {
  if (!isNative()) throw new BiometricFailure(biometricTexts.notOnWeb);
  await askSensor(t('Turn on biometric sign-in'), t('Cancel'));
  await dropBiometrics();
  const { kdf_email: email, client_key: clientKey } = getUser();
  const { data } = await biometricsClient.turn_on({ keep_signed_in: keepsMail() });
  const known: BiometricNotice = { email, expiresAt: Date.parse(data.expires_at) };
  try {
    await keepSecure('vault', await keys().exportVault(clientKey));
    await keepSecure('biometric_credentials', JSON.stringify({ ...known, token: data.token }));
  } catch {
    await Promise.all([
      biometricsClient.turn_off({ token: data.token }).catch(() => undefined),
      dropBiometrics(),
    ]);
    throw new BiometricFailure(biometricTexts.notOnDevice);
  }
  keepStored('biometric_credentials', JSON.stringify(known));
  keepStored('biometric_enabled', 'true');
}
