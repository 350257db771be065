// Files that can be opened again after a reload: where the browser has the File System Access API, what was chosen or dropped
// comes with a handle that may be kept, and asking for leave takes the place of choosing anew. Elsewhere files are files.

/** What the API has and the types of the DOM do not know yet. */
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

/** Lets one choose files; none when one thinks better of it, null where the browser has no such way. */
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

/** The files of a drop, with their handles where there are any. To be called while the drop is told of. */
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

/** The handles of files, or null when one of them has none. */
export function handlesOf(files: readonly File[]): FileSystemFileHandle[] | null {
  const found = files.map(file => handles.get(file));
  return found.every(handle => handle !== undefined) ? found : null;
}

/**
 * The files of handles that were kept, after asking for leave to read them, which needs a click. Null when leave is not given,
 * and when a file is not there any more.
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
