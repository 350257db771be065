// How long what was handed to other programs lies on the phone, and what is said of a saved file. The phone is a stand-in.
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

test('it goes at the start and when the session ends, however that ends', () => {
  saveFilesToPhone();
  expect(forgetHandedOver).toHaveBeenCalledTimes(1);
  setSessionStatus('expired');
  expect(forgetHandedOver).toHaveBeenCalledTimes(1);
  setSessionStatus('out');
  expect(forgetHandedOver).toHaveBeenCalledTimes(2);
});

test.each([
  ['documents', true, 'Saved as a.txt in Documents, folder Keyfold'],
  ['chosen', true, undefined],
  ['nowhere', false, undefined],
])('a file that went to %s', async (place, isSaved, text) => {
  saveToPhone.mockResolvedValueOnce(place);
  expect(await saveFile(new Blob(['a']), 'a.txt')).toBe(isSaved);
  expect(showToast.mock.calls.map(([toast]) => toast.text)).toEqual(text === undefined ? [] : [text]);
});

test('a file that could not be saved says so', async () => {
  saveToPhone.mockRejectedValueOnce(new Error('No space left'));
  expect(await saveFile(new Blob(['a']), 'a.txt')).toBe(false);
  expect(showToast).toHaveBeenCalledWith({ tone: 'danger', text: 'The file could not be saved' });
});
