// The sensors of the phone: which there are, and the question to them. Every code of docs/spec-map.md 8 has its text here, and
// what it means for a biometric sign-in that is on; docs/spec-map.md 9.32 has the labels.
import { t, term } from '../lib/language.ts';
import { biometry, type PluginFailure } from './plugins.ts';

/** By the plugin's numbers, which are the types of docs/spec-map.md 9 in their order: none, touchId, faceId, … */
const labels = [
  term('Biometrics'),
  term('Touch ID'),
  term('Face ID'),
  term('Fingerprint Authentication'),
  term('Face Authentication'),
  term('Iris Authentication'),
] as const;

export type BiometryLabel = (typeof labels)[number];

/** AndroidBiometryStrength, docs/spec-map.md 9: weak takes any sensor, strong only those that Android calls so. */
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

/** A biometric sign-in that did not come about: what is said of it, and what it means. */
export class BiometricFailure extends Error {
  override name = 'BiometricFailure';
  /** Biometrics go off: what they guarded is not safe behind them any more, or is worth nothing. */
  readonly ends: boolean;
  /** The person wants to type the password instead. */
  readonly wantsPassword: boolean;
  constructor(text: BiometricText, { ends = false, wantsPassword = false } = {}) {
    super(text);
    this.ends = ends;
    this.wantsPassword = wantsPassword;
  }
}

/**
 * The failure for a code of the phone. Readings 40: too many tries and codes that nobody knows leave biometrics on, and the
 * password is asked for. Where nothing is enrolled any more, or the phone has no lock, whoever holds it could enrol
 * themselves next: then they go off.
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

/** The sensor: its label, and why it cannot be asked now, if so. */
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

/** Looks for the sensor. Rejects with BiometricFailure when the phone does not say. */
export const findSensor = async (): Promise<Sensor> => readSensor(await check());

/**
 * Asks the person for a finger, a face or an eye; `reason` is shown with it. The strongest kind that is there is asked for.
 * Rejects with BiometricFailure.
 */
export async function askSensor(reason: string, cancel: string): Promise<void> {
  // To be called before each question, or some phones answer with what was true when the program started.
  const facts = await check();
  const { failure, label } = readSensor(facts);
  if (failure !== null) throw failure;
  await biometry
    .internalAuthenticate({
      reason,
      cancelTitle: cancel,
      // Else Android's question is headed in English.
      androidTitle: t(label),
      allowDeviceCredential: false,
      androidBiometryStrength: facts.strongBiometryIsAvailable ? strength.strong : strength.weak,
    })
    .catch((error: PluginFailure) => {
      throw failureOf(error.code);
    });
}
