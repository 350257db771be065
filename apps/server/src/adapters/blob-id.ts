/**
 * Names of encrypted blobs in a blob store. Ids come from the server itself; this check is the last
 * defense before a name becomes a path or a key.
 */

const SAFE = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;

/** Returns whether a name is a blob id. */
export const isBlobId = (name: string): boolean => SAFE.test(name);

/**
 * Returns the path of a blob: `aa/bb/<id>`. The folders come from the id's random end, because the
 * id begins with the time, which would put years into one folder. Throws when the id is invalid.
 */
export function blobPath(id: string): string {
  if (!isBlobId(id)) throw new Error('Invalid container id');
  return `${id.slice(-2)}/${id.slice(-4, -2)}/${id}`;
}
