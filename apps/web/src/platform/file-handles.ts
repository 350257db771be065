// Files that can be reopened after a reload. In browsers with the File System Access API, chosen or
// dropped files have handles that can be stored, and the browser asks for permission instead of
// another selection. Other browsers return plain files.

/** API members that the DOM types do not include yet. */
type OpenableHandle = FileSystemFileHandle & {
  requestPermission?: (options: { mode: 'read' }) => Promise<PermissionState>;
};
type OpenPicker = (options: { multiple: boolean }) => Promise<FileSystemFileHandle[]>;
type DroppedItem = { getAsFileSystemHandle?: () => Promise<FileSystemHandle | null> };

const handles = new WeakMap<File, FileSystemFileHandle>();

async function fileOf(handle: FileSystemFileHandle): Promise<File> {
  const file = await handle.getFile();
  handles.set(file, handle);
  return file;
}

/**
 * Opens the file picker. Returns an empty list if the user cancels, or null if the browser lacks
 * this API.
 */
export async function chooseFiles(multiple: boolean): Promise<File[] | null> {
  const ask = (window as { readonly showOpenFilePicker?: OpenPicker }).showOpenFilePicker;
  if (ask === undefined) return null;
  try {
    return await Promise.all((await ask({ multiple })).map(fileOf));
  } catch (error) {
    if (error instanceof DOMException && error.name === 'AbortError') return [];
    return null;
  }
}

/**
 * Returns the dropped files, with handles where available. Must be called while the drop event is
 * being dispatched.
 */
export async function droppedFiles(transfer: DataTransfer): Promise<File[]> {
  const files = [...transfer.files];
  const asked = [...transfer.items]
    .filter(({ kind }) => kind === 'file')
    .map(item => (item as DroppedItem).getAsFileSystemHandle?.() ?? null);
  const found = await Promise.all(asked.map(one => one?.catch(() => null) ?? null));
  if (found.length !== files.length) return files;
  return Promise.all(
    files.map((file, index) => {
      const handle = found[index];
      return handle?.kind === 'file' ? fileOf(handle as FileSystemFileHandle).catch(() => file) : file;
    }),
  );
}

/** Returns the handles of files, or null if any of them has none. */
export function handlesOf(files: readonly File[]): FileSystemFileHandle[] | null {
  const found = files.map(file => handles.get(file));
  return found.every(handle => handle !== undefined) ? found : null;
}

/**
 * Returns the files of stored handles after asking for read permission, which requires a click.
 * Returns null if permission is denied or a file no longer exists.
 */
export async function reopenFiles(kept: readonly FileSystemFileHandle[]): Promise<File[] | null> {
  try {
    for (const handle of kept) {
      const leave = await (handle as OpenableHandle).requestPermission?.({ mode: 'read' });
      if (leave !== undefined && leave !== 'granted') return null;
    }
    return await Promise.all(kept.map(fileOf));
  } catch {
    return null;
  }
}
