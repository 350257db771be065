// Maps each result code of a phone's sensor to its label, its text, and whether biometrics stay on.
// Uses a fake plugin.
import { beforeEach, expect, test, vi } from 'vitest';

const { checkBiometry, internalAuthenticate } = vi.hoisted(() => ({
  checkBiometry: vi.fn(),
  internalAuthenticate: vi.fn(),
}));
vi.mock('./plugins.ts', () => ({ biometry: { checkBiometry, internalAuthenticate } }));

const { askSensor, failureOf, findSensor } = await import('./biometry.ts');

const facts = (change: object = {}) => ({
  isAvailable: true,
  strongBiometryIsAvailable: true,
  biometryType: 3,
  code: '',
  ...change,
});

beforeEach(() => {
  checkBiometry.mockReset().mockResolvedValue(facts());
  internalAuthenticate.mockReset().mockResolvedValue(undefined);
});

const failed = 'Biometric authentication failed';
const canceled = 'Authentication cancelled by user';
const notHere = 'Biometric authentication not available on this device';

test.each([
  ['', failed, false, false],
  ['appCancel', failed, false, false],
  ['authenticationFailed', failed, false, false],
  ['invalidContext', failed, false, false],
  ['notInteractive', failed, false, false],
  ['passcodeNotSet', notHere, true, false],
  ['systemCancel', failed, false, false],
  ['userCancel', canceled, false, false],
  ['userFallback', canceled, false, true],
  ['biometryLockout', failed, false, true],
  ['biometryNotAvailable', notHere, false, false],
  ['biometryNotEnrolled', 'No biometric data enrolled on device', true, false],
  ['noDeviceCredential', notHere, true, false],
  ['somethingNew', failed, false, true],
  [undefined, failed, false, true],
])(
  '%s has its text, and determines whether biometrics stay on and the password is requested',
  (code, text, ends, wantsPassword) => {
    expect(failureOf(code)).toMatchObject({ message: text, ends, wantsPassword });
  },
);

test.each([
  [0, 'Biometrics'],
  [1, 'Touch ID'],
  [2, 'Face ID'],
  [3, 'Fingerprint Authentication'],
  [4, 'Face Authentication'],
  [5, 'Iris Authentication'],
  [99, 'Biometrics'],
])('the sensor of type %i is labeled %s', async (biometryType, label) => {
  checkBiometry.mockResolvedValue(facts({ biometryType }));
  expect(await findSensor()).toEqual({ label, failure: null });
});

test('an unavailable sensor gives the reason and is not prompted', async () => {
  checkBiometry.mockResolvedValue(facts({ isAvailable: false, code: 'biometryNotEnrolled' }));
  await expect(askSensor('Why', 'No')).rejects.toMatchObject({
    message: 'No biometric data enrolled on device',
  });
  checkBiometry.mockResolvedValue(facts({ isAvailable: false }));
  await expect(askSensor('Why', 'No')).rejects.toMatchObject({ message: notHere });
  checkBiometry.mockRejectedValue({ message: 'gone' });
  await expect(findSensor()).rejects.toMatchObject({ message: notHere, ends: false });
  expect(internalAuthenticate).not.toHaveBeenCalled();
});

test('strong sensors are used where available, and the phone’s passcode never replaces them', async () => {
  await askSensor('Why', 'No');
  checkBiometry.mockResolvedValue(facts({ strongBiometryIsAvailable: false }));
  await askSensor('Why', 'No');
  expect(internalAuthenticate.mock.calls.map(([options]) => options)).toMatchObject([
    {
      reason: 'Why',
      cancelTitle: 'No',
      androidTitle: 'Fingerprint Authentication',
      allowDeviceCredential: false,
      androidBiometryStrength: 1,
    },
    { allowDeviceCredential: false, androidBiometryStrength: 0 },
  ]);
});
