// What remains of a file shared by another app: on iOS its copy is deleted, and nothing else is.
// The plugins are stubs.
import { beforeEach, expect, test, vi } from 'vitest';

const { held, files, platform } = vi.hoisted(() => {
  const held = new Set<string>();
  type Asked = { readonly directory: string; readonly path: string };
  const at = ({ directory, path }: Asked) => `${directory}/${path}`;
  return {
    held,
    platform: vi.fn(() => 'ios'),
    files: {
      readdir: vi.fn(async (asked: Asked) => {
        const inside = [...held].filter(file => file.startsWith(`${at(asked)}/`));
        if (inside.length === 0) throw new Error('Folder does not exist');
        const names = inside.map(file => file.slice(at(asked).length + 1).split('/')[0] ?? '');
        return { files: [...new Set(names)].map(name => ({ name })) };
      }),
      deleteFile: vi.fn(async (asked: Asked) => {
        if (!held.delete(at(asked))) throw new Error('It is no file');
      }),
      rmdir: vi.fn(async (asked: Asked) => {
        for (const file of held) if (file.startsWith(`${at(asked)}/`)) held.delete(file);
      }),
    },
  };
});
vi.mock('./plugins.ts', () => ({ files, platform, fileAddress: (uri: string) => `capacitor://${uri}` }));

const { forgetSharedCopies, readSharedFiles } = await import('./shared-files.ts');

const inbox = 'file:///private/var/mobile/Containers/Data/Application/0A/Documents/Inbox';
let lend = (_address: string): Promise<Response> => Promise.resolve(new Response('Bright'));
vi.stubGlobal('fetch', (address: string) => lend(address));

beforeEach(() => {
  held.clear();
  platform.mockReturnValue('ios');
  lend = () => Promise.resolve(new Response('Bright'));
});

test('a copy is deleted after reading, whatever its name, even if it could not be read', async () => {
  for (const name of ['a.pdf', 'Ünsicher & Söhne.pdf', 'sun #1.txt', 'gone.txt'])
    held.add(`DOCUMENTS/Inbox/${name}`);
  lend = async address => {
    // Not before its bytes have been read.
    expect([...held].length).toBe(4);
    return address.includes('gone') ? new Response(null, { status: 404 }) : new Response('Bright');
  };
  const read = await readSharedFiles([
    `${inbox}/a.pdf`,
    `${inbox}/%C3%9Cnsicher%20&%20S%C3%B6hne.pdf`,
    `${inbox}/sun%20%231.txt`,
    `${inbox}/gone.txt`,
  ]);
  expect(read.map(({ name }) => name)).toEqual(['a.pdf', 'Ünsicher & Söhne.pdf', 'sun #1.txt']);
  expect(await read[0]?.text()).toBe('Bright');
  await vi.waitFor(() => expect([...held]).toEqual([]));
});

test('files elsewhere are not deleted, and nothing is deleted on Android', async () => {
  held.add('DOCUMENTS/Inbox/a.pdf').add('DOCUMENTS/a.pdf');
  await readSharedFiles([
    'file:///var/mobile/Documents/a.pdf',
    `${inbox}/x/a.pdf`,
    `${inbox}/..%2Fa.pdf`,
    `${inbox}/..`,
    `${inbox}/`,
    `${inbox}/%E0%A4%A`,
  ]);
  platform.mockReturnValue('android');
  await readSharedFiles(['content://photos/Documents/Inbox/a.pdf', `${inbox}/a.pdf`]);
  await forgetSharedCopies();
  expect([...held].sort()).toEqual(['DOCUMENTS/Inbox/a.pdf', 'DOCUMENTS/a.pdf']);
  expect(files.deleteFile.mock.calls.filter(([{ path }]) => !/^Inbox\/[^/]+$/.test(path))).toEqual([]);
});

test('unread copies and folders are deleted, but not while they are being read', async () => {
  held.add('DOCUMENTS/Inbox/old.pdf').add('DOCUMENTS/Inbox/pages/1.txt').add('DOCUMENTS/own.txt');
  const answers = Promise.withResolvers<Response>();
  lend = () => answers.promise;
  held.add('DOCUMENTS/Inbox/new.pdf');
  const read = readSharedFiles([`${inbox}/new.pdf`]);
  const gone = forgetSharedCopies();
  await Promise.resolve();
  expect(held.has('DOCUMENTS/Inbox/new.pdf')).toBe(true);
  answers.resolve(new Response('New'));
  expect(await (await read)[0]?.text()).toBe('New');
  await gone;
  expect([...held]).toEqual(['DOCUMENTS/own.txt']);
  // The folder does not exist until something is shared.
  await expect(forgetSharedCopies()).resolves.toBeUndefined();
});
