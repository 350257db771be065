// Reopenable files: a picked or dropped file has a handle, and reopening it asks for permission.
// The browser's picker, drops and handles are stubs.
import { afterEach, expect, test, vi } from 'vitest';
import { chooseFiles, droppedFiles, handlesOf, reopenFiles } from './file-handles.ts';

function handle(name: string, leave: PermissionState = 'granted', isThere = true) {
  const made = {
    kind: 'file',
    asked: 0,
    getFile: async () => {
      if (!isThere) throw new DOMException('', 'NotFoundError');
      return new File(['x'], name);
    },
    requestPermission: async () => {
      made.asked += 1;
      return leave;
    },
  };
  return made as unknown as FileSystemFileHandle & { readonly asked: number };
}
const names = (files: readonly File[] | null) => files?.map(({ name }) => name);
const pickBy = (showOpenFilePicker: unknown) => vi.stubGlobal('window', { showOpenFilePicker });
afterEach(() => vi.unstubAllGlobals());

test('picked files can be reopened after permission is granted', async () => {
  const [one, two] = [handle('a.pst'), handle('b.pst')];
  pickBy(async () => [one, two]);
  const files = await chooseFiles(true);
  expect(names(files)).toEqual(['a.pst', 'b.pst']);
  const kept = handlesOf(files ?? []);
  expect(kept).toEqual([one, two]);
  expect(names(await reopenFiles(kept ?? []))).toEqual(['a.pst', 'b.pst']);
  expect([one.asked, two.asked]).toEqual([1, 1]);
});

test('nothing opens without permission, or when a file is missing', async () => {
  expect(await reopenFiles([handle('a.pst', 'denied')])).toBeNull();
  expect(await reopenFiles([handle('a.pst'), handle('b.pst', 'granted', false)])).toBeNull();
});

test('a canceled picker returns no files, and a missing picker returns null', async () => {
  pickBy(async () => {
    throw new DOMException('', 'AbortError');
  });
  expect(await chooseFiles(true)).toEqual([]);
  pickBy(async () => {
    throw new DOMException('', 'SecurityError');
  });
  expect(await chooseFiles(true)).toBeNull();
  pickBy(undefined);
  expect(await chooseFiles(true)).toBeNull();
});

test('a drop returns handles where supported, and files in any case', async () => {
  const plain = new File(['x'], 'plain.pst');
  const drop = (items: readonly unknown[], files: readonly File[]) =>
    droppedFiles({ items, files } as unknown as DataTransfer);
  const one = handle('a.pst');
  const withHandle = await drop(
    [{ kind: 'string' }, { kind: 'file', getAsFileSystemHandle: async () => one }],
    [new File(['x'], 'a.pst')],
  );
  expect(handlesOf(withHandle)).toEqual([one]);
  expect(await drop([{ kind: 'file' }], [plain])).toEqual([plain]);
  const folder = { kind: 'file', getAsFileSystemHandle: async () => ({ kind: 'directory' }) };
  expect(await drop([folder], [plain])).toEqual([plain]);
  expect(handlesOf([plain])).toBeNull();
  expect(handlesOf([...withHandle, plain])).toBeNull();
});
