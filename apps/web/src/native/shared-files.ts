// Files that another program shares: fetched from it through the shell, without a copy on the way.
import { fileAddress } from './plugins.ts';

/** The last part of an address, as a name for people; what is no name is left out. */
function nameOf(uri: string, index: number): string {
  const last = uri.split(/[?#]/)[0]?.split('/').pop() ?? '';
  try {
    const name =
      decodeURIComponent(last)
        .split(/[/:\\]/)
        .pop() ?? '';
    return name === '' ? `file-${index + 1}` : name;
  } catch {
    return `file-${index + 1}`;
  }
}

/** The files behind these addresses; those that cannot be read are left out. */
export async function readSharedFiles(uris: readonly string[]): Promise<File[]> {
  const files = await Promise.all(
    uris.map(async (uri, index) => {
      try {
        const answer = await fetch(fileAddress(uri));
        if (!answer.ok) return null;
        const blob = await answer.blob();
        return new File([blob], nameOf(uri, index), { type: blob.type });
      } catch {
        return null;
      }
    }),
  );
  return files.filter(file => file !== null);
}
