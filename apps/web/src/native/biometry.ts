// The phone's biometric sensors: which are available, and the authentication prompt. Every code of
// docs/spec-map.md 8 has its text here, and its effect on an enabled biometric sign-in;
// docs/spec-map.md 9.32 has the labels.
import { t, term } from '../lib/language.ts';
import { biometry, type PluginFailure } from './plugins.ts';

/**
 * Indexed by the plugin's numbers, which are the types of docs/spec-map.md 9 in their order: none,
 * touchId, faceId, …
 */
const labels = [
  term('Biometrics'),
  term('Touch ID'),
  term('Face ID'),
  term('Fingerprint Authentication'),
  term('Face Authentication'),
  term('Iris Authentication'),
] as const;

export type BiometryLabel = (typeof labels)[number];

/**
 * AndroidBiometryStrength, docs/spec-map.md 9: weak accepts any sensor, strong only those that
 * Android classifies as strong.
 */
const strength = { weak: 0, strong: 1 } as const;

export const biometricTexts = {
  failed: term('Biometric authentication failed'),
  notOnWeb: term('Biometric authentication not available on web'),
  notOnDevice: term('Biometric authentication not available on this device'),
  notEnabled: term('Biometric authentication not enabled'),
  noCredentials: term('No biometric credentials found'),
  expired: term('Biometric credentials expired. Please login again.'),
  canceled: term('Authentication cancelled by user'),
  notEnrolled: term('No biometric data enrolled on device'),
  sessionExpired: term('Session expired. Please login again.'),
  noVault: term('Vault not found. Please login again.'),
  otherEmail: term('Email mismatch. Please login again.'),
} as const;

type BiometricText = (typeof biometricTexts)[keyof typeof biometricTexts];

/** A biometric sign-in that failed: its user-facing text and its consequences. */
export class BiometricFailure extends Error {
  override name = 'BiometricFailure';
  /**
   * Biometrics are turned off: they no longer protect the secret safely, or the secret is useless.
   */
  readonly ends: boolean;
  /** The user wants to type the password instead. */
  readonly wantsPassword: boolean;
  constructor(text: BiometricText, { ends = false, wantsPassword = false } = {}) {
    super(text);
    this.ends = ends;
    this.wantsPassword = wantsPassword;
  }
}

/**
 * The failure for a code of the phone (docs/interpretations.md#40): after too many attempts and for
 * unknown codes, biometrics stay on and the user enters the password. When nothing is enrolled any
 * more, or the phone has no screen lock, anyone who holds the phone could enroll their own
 * biometrics, so they are turned off.
 */
export function failureOf(code: string | undefined): BiometricFailure {
  switch (code) {
    case 'userCancel':
      return new BiometricFailure(biometricTexts.canceled);
    case 'userFallback':
      return new BiometricFailure(biometricTexts.canceled, { wantsPassword: true });
    case 'biometryNotEnrolled':
      return new BiometricFailure(biometricTexts.notEnrolled, { ends: true });
    case 'passcodeNotSet':
    case 'noDeviceCredential':
      return new BiometricFailure(biometricTexts.notOnDevice, { ends: true });
    case 'biometryNotAvailable':
      return new BiometricFailure(biometricTexts.notOnDevice);
    case 'biometryLockout':
      return new BiometricFailure(biometricTexts.failed, { wantsPassword: true });
    case '':
    case 'appCancel':
    case 'authenticationFailed':
    case 'invalidContext':
    case 'notInteractive':
    case 'systemCancel':
      return new BiometricFailure(biometricTexts.failed);
    default:
      return new BiometricFailure(biometricTexts.failed, { wantsPassword: true });
  }
}

/** The sensor's label, and why it is unavailable now, if so. */
export type Sensor = { readonly label: BiometryLabel; readonly failure: BiometricFailure | null };

type Facts = Awaited<ReturnType<typeof biometry.checkBiometry>>;

const readSensor = ({ biometryType, isAvailable, code }: Facts): Sensor => ({
  label: labels[biometryType] ?? labels[0],
  failure: isAvailable ? null : failureOf(code === '' ? 'biometryNotAvailable' : code),
});

const check = async (): Promise<Facts> =>
  biometry.checkBiometry().catch((error: PluginFailure) => {
    throw failureOf(error.code ?? 'biometryNotAvailable');
  });

/** Detects the sensor. Rejects with BiometricFailure when the phone does not report it. */
export const findSensor = async (): Promise<Sensor> => readSensor(await check());

/**
 * Prompts the user for a fingerprint, face or iris, showing `reason`. Uses the strongest kind
 * available. Rejects with BiometricFailure.
 */
export async function askSensor(reason: string, cancel: string): Promise<void> {
  // Must be called before each prompt, or some phones report the state at app start.
  const facts = await check();
  const { failure, label } = readSensor(facts);
  if (failure !== null) throw failure;
  await biometry
    .internalAuthenticate({
      reason,
      cancelTitle: cancel,
      // Otherwise the title of Android's prompt is in English.
      androidTitle: t(label),
      allowDeviceCredential: false,
      androidBiometryStrength: facts.strongBiometryIsAvailable ? strength.strong : strength.weak,
    })
    .catch((error: PluginFailure) => {
      throw failureOf(error.code);
    });
}
