/**
 * The objects of the small S3 server, with versions if versioning is on: a removed object is then
 * hidden behind a delete marker, and a version or marker can be removed only by its id.
 */
import { randomUUID } from 'node:crypto';

type Version = { readonly id: string; readonly bytes: Buffer | null };

/** Version id of objects written or removed while versioning was off. */
const NULL_ID = 'null';

const lastOf = (versions: readonly Version[] | undefined): Buffer | undefined =>
  versions?.at(-1)?.bytes ?? undefined;

export function createS3Objects() {
  const objects = new Map<string, Version[]>();
  let isKeeping = false;

  const add = (key: string, bytes: Buffer | null): void => {
    const versions = objects.get(key) ?? [];
    const kept = isKeeping ? versions : versions.filter(({ id }) => id !== NULL_ID);
    // If no version of an object is kept, no delete marker is added.
    const isTrace = bytes !== null || isKeeping || kept.length > 0;
    objects.set(key, isTrace ? [...kept, { id: isKeeping ? randomUUID() : NULL_ID, bytes }] : []);
  };

  const xmlOf = (key: string, { id, bytes }: Version, isLatest: boolean): string => {
    const tag = bytes === null ? 'DeleteMarker' : 'Version';
    return `<${tag}><Key>${key}</Key><VersionId>${id}</VersionId><IsLatest>${isLatest}</IsLatest></${tag}>`;
  };

  return {
    get: (key: string): Buffer | undefined => lastOf(objects.get(key)),
    put: (key: string, bytes: Buffer): void => add(key, bytes),
    remove: (key: string, versionId: string | null): void => {
      if (versionId === null) add(key, null);
      else
        objects.set(
          key,
          (objects.get(key) ?? []).filter(({ id }) => id !== versionId),
        );
    },
    keys: (): string[] => [...objects.keys()].filter(key => lastOf(objects.get(key)) !== undefined),
    /** Number of versions and delete markers of all objects. */
    count: (): number => [...objects.values()].flat().length,
    keep: (isKept: boolean): void => {
      isKeeping = isKept;
    },
    /** Acts like an expired lifecycle rule: removes all versions except the newest. */
    expire: (): void => {
      for (const [key, versions] of objects) objects.set(key, versions.slice(-1));
    },
    /** Returns the list of versions, newest first, on one page. */
    list: (prefix: string): string => {
      const entries = [...objects]
        .filter(([key]) => key.startsWith(prefix))
        .flatMap(([key, versions]) =>
          versions.map((one, at) => xmlOf(key, one, at === versions.length - 1)).reverse(),
        );
      return `<ListVersionsResult><IsTruncated>false</IsTruncated>${entries.join('')}</ListVersionsResult>`;
    },
    status: (): string =>
      `<VersioningConfiguration>${isKeeping ? '<Status>Enabled</Status>' : ''}</VersioningConfiguration>`,
  };
}
