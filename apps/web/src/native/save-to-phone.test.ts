// Where a file is saved on each platform, how many bytes cross the bridge at a time, and what
// remains after a failure. The plugins are stubs.
import { beforeEach, expect, test, vi } from 'vitest';

const { phone, files, share, platform } = vi.hoisted(() => {
  const held = new Map<string, Buffer>();
  const state = { held, isShut: false, room: Number.POSITIVE_INFINITY, pieces: [] as number[] };
  type Asked = { readonly directory: string; readonly path: string };
  const at = ({ directory, path }: Asked) => `${directory}/${path}`;
  const write = (before: Buffer, asked: Asked & { readonly data: string }) => {
    const bytes = Buffer.from(asked.data, 'base64');
    state.pieces.push(bytes.length);
    if (state.isShut && asked.directory === 'DOCUMENTS') throw new Error('Denied');
    if (before.length + bytes.length > state.room) throw new Error('No space left on device');
    held.set(at(asked), Buffer.concat([before, bytes]));
  };
  return {
    phone: state,
    platform: vi.fn(() => 'android'),
    share: vi.fn(async (_: { readonly files: readonly string[] }) => ({})),
    files: {
      stat: vi.fn(async (asked: Asked) => {
        if (!held.has(at(asked))) throw new Error('File does not exist');
        return {};
      }),
      writeFile: vi.fn(async (asked: Asked & { readonly data: string }) => {
        write(Buffer.alloc(0), asked);
        return { uri: `file:///${at(asked)}` };
      }),
      appendFile: vi.fn(async (asked: Asked & { readonly data: string }) => {
        write(held.get(at(asked)) ?? Buffer.alloc(0), asked);
      }),
      deleteFile: vi.fn(async (asked: Asked) => void held.delete(at(asked))),
      rmdir: vi.fn(async (asked: Asked) => {
        for (const path of held.keys()) if (path.startsWith(`${at(asked)}/`)) held.delete(path);
      }),
    },
  };
});
vi.mock('./plugins.ts', () => ({ files, share: { share }, platform }));

const { forgetHandedOver, saveToPhone } = await import('./save-to-phone.ts');

const bytesOf = (size: number) => Uint8Array.from({ length: size }, (_, index) => index % 251);

beforeEach(() => {
  phone.held.clear();
  phone.pieces.length = 0;
  phone.isShut = false;
  phone.room = Number.POSITIVE_INFINITY;
  platform.mockReturnValue('android');
  share.mockReset().mockResolvedValue({});
});

test('on Android a file is saved to Documents byte for byte, without asking', async () => {
  const content = bytesOf(2_000_003);
  expect(await saveToPhone(new Blob([content]), 'a.bin')).toBe('documents');
  expect(phone.held.get('DOCUMENTS/Keyfold/a.bin')?.equals(content)).toBe(true);
  expect(Math.max(...phone.pieces)).toBeLessThan(1024 * 1024);
  expect(share).not.toHaveBeenCalled();
});

test('an empty file is saved too', async () => {
  await saveToPhone(new Blob([]), 'empty');
  expect(phone.held.get('DOCUMENTS/Keyfold/empty')?.length).toBe(0);
});

test('no file overwrites another, even when several are saved at once', async () => {
  await Promise.all(['one', 'two', 'three'].map(text => saveToPhone(new Blob([text]), 'a.b.txt')));
  await saveToPhone(new Blob(['four']), '.hidden');
  await saveToPhone(new Blob(['five']), '.hidden');
  expect(Object.fromEntries([...phone.held].map(([path, bytes]) => [path, String(bytes)]))).toEqual({
    'DOCUMENTS/Keyfold/a.b.txt': 'one',
    'DOCUMENTS/Keyfold/a.b (1).txt': 'two',
    'DOCUMENTS/Keyfold/a.b (2).txt': 'three',
    'DOCUMENTS/Keyfold/.hidden': 'four',
    'DOCUMENTS/Keyfold/.hidden (1)': 'five',
  });
});

test('without access to Documents the user is asked, and the copy is deleted before the next one', async () => {
  phone.isShut = true;
  expect(await saveToPhone(new Blob(['one']), 'a.txt')).toBe('chosen');
  expect(share).toHaveBeenCalledWith({ files: ['file:///CACHE/handed-over/a.txt'] });
  expect([...phone.held.keys()]).toEqual(['CACHE/handed-over/a.txt']);
  await saveToPhone(new Blob(['two']), 'b.txt');
  expect([...phone.held.keys()]).toEqual(['CACHE/handed-over/b.txt']);
});

test('a shared copy is deleted on request, but not while a file is being written', async () => {
  phone.isShut = true;
  const saved = saveToPhone(new Blob([bytesOf(2_000_000)]), 'a.bin');
  await Promise.all([saved, forgetHandedOver()]);
  expect(share).toHaveBeenCalledWith({ files: ['file:///CACHE/handed-over/a.bin'] });
  expect(phone.held.size).toBe(0);
});

test('on iOS the user is asked, and no copy is left', async () => {
  platform.mockReturnValue('ios');
  share.mockImplementationOnce(async () => {
    expect(String(phone.held.get('CACHE/handed-over/a.txt'))).toBe('one');
    return {};
  });
  expect(await saveToPhone(new Blob(['one']), 'a.txt')).toBe('chosen');
  expect(phone.held.size).toBe(0);
});

test('a canceled share saves nothing and leaves no copy', async () => {
  platform.mockReturnValue('ios');
  share.mockRejectedValueOnce(new Error('Share canceled'));
  expect(await saveToPhone(new Blob(['one']), 'a.txt')).toBe('nowhere');
  expect(phone.held.size).toBe(0);
});

test('a full phone fails without leaving a partial file, and the next file is saved', async () => {
  phone.room = 1_000_000;
  await expect(saveToPhone(new Blob([bytesOf(2_000_000)]), 'a.bin')).rejects.toThrow('No space left');
  expect(phone.held.size).toBe(0);
  expect(share).not.toHaveBeenCalled();
  expect(await saveToPhone(new Blob(['small']), 'b.txt')).toBe('documents');
});
