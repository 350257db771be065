// How long files handed to other apps stay on the phone, and which message is shown for a saved
// file. The phone is a stub.
import { beforeEach, expect, test, vi } from 'vitest';
import { saveFile } from '../platform/save-file.ts';
import { setSessionStatus } from './state/session-state.ts';

const { forgetHandedOver, saveToPhone, showToast } = vi.hoisted(() => ({
  forgetHandedOver: vi.fn(async () => undefined),
  saveToPhone: vi.fn(),
  showToast: vi.fn(),
}));
vi.mock('../native/save-to-phone.ts', () => ({ forgetHandedOver, saveToPhone }));
vi.mock('../ui/toasts.ts', () => ({ showToast }));

const { saveFilesToPhone } = await import('./phone-files.ts');

beforeEach(() => {
  for (const one of [forgetHandedOver, showToast]) one.mockClear();
  setSessionStatus('in');
});

test('files handed to other apps are deleted at the start and after sign-out', () => {
  saveFilesToPhone();
  expect(forgetHandedOver).toHaveBeenCalledTimes(1);
  setSessionStatus('expired');
  expect(forgetHandedOver).toHaveBeenCalledTimes(1);
  setSessionStatus('out');
  expect(forgetHandedOver).toHaveBeenCalledTimes(2);
});

test.each([
  ['documents', true, 'Saved as a.txt in Documents/Keyfold'],
  ['chosen', true, undefined],
  ['nowhere', false, undefined],
])('reports the result of a save, place: %s', async (place, isSaved, text) => {
  saveToPhone.mockResolvedValueOnce(place);
  expect(await saveFile(new Blob(['a']), 'a.txt')).toBe(isSaved);
  expect(showToast.mock.calls.map(([toast]) => toast.text)).toEqual(text === undefined ? [] : [text]);
});

test('a failed save shows an error message', async () => {
  saveToPhone.mockRejectedValueOnce(new Error('No space left'));
  expect(await saveFile(new Blob(['a']), 'a.txt')).toBe(false);
  expect(showToast).toHaveBeenCalledWith({ tone: 'danger', text: 'Couldn’t save the file' });
});
