/**
 * Names of containers in a blob store. Ids come from the server itself; the check is the last line before a name becomes
 * a path or a key.
 */

const SAFE = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;

/** Whether a name is one of a container. */
export const isBlobId = (name: string): boolean => SAFE.test(name);

/**
 * Where a container lies: `aa/bb/<id>`, the folders from the id's random end, for its beginning is the time and would
 * put years into one folder. Throws when the id is none.
 */
export function blobPath(id: string): string {
  if (!isBlobId(id)) throw new Error('Not an id of a container');
  return `${id.slice(-2)}/${id.slice(-4, -2)}/${id}`;
}
