// Building blocks of messages: the signatures of the account, and templates, which are sealed
// records that only this user can read (record kind `template`).
import { CallError } from '@keyfold/contract/client';
import { LARGE_RECORDS_PAGE } from '@keyfold/contract/limits';
import { leftOutOf } from '@keyfold/contract/rows';
import { useQuery } from '@tanstack/react-query';
import { keys } from '../../../crypto/key-client.ts';
import { recordsClient } from '../../../session/calls/clients/records.ts';
import { signaturesClient } from '../../../session/calls/clients/signatures.ts';

/** The signatures, sorted by name. */
export const signaturesQuery = {
  queryKey: ['signatures'],
  queryFn: async () => (await signaturesClient.list({})).data,
};

/** The signatures, live. */
export const useSignatures = () => useQuery(signaturesQuery);

/** A text to start a message from. */
export type Template = {
  readonly id: string;
  readonly version: number;
  readonly name: string;
  readonly html: string;
  readonly text: string;
};

const kind = 'template';

export const templatesKey = ['templates'] as const;

const textOf = (value: unknown): string => (typeof value === 'string' ? value : '');

async function openTemplate(id: string, version: number, sealed: string): Promise<Template> {
  const value = (await keys().openRecord(kind, id, sealed)) as Readonly<Record<string, unknown>> | null;
  return { id, version, name: textOf(value?.name), html: textOf(value?.html), text: textOf(value?.text) };
}

async function fetchTemplates(): Promise<readonly Template[]> {
  const found: Template[] = [];
  let after: string | undefined;
  for (;;) {
    const { data } = await recordsClient.list({
      kind,
      count: LARGE_RECORDS_PAGE,
      ...(after === undefined ? {} : { after }),
    });
    const opened = await Promise.allSettled(
      data.map(({ id, version, sealed }) => openTemplate(id, version, sealed)),
    );
    found.push(...opened.flatMap(one => (one.status === 'fulfilled' ? [one.value] : [])));
    after = data.at(-1)?.id;
    if (after === undefined || data.length + leftOutOf(data) < LARGE_RECORDS_PAGE)
      return found.toSorted((a, b) => a.name.localeCompare(b.name));
  }
}

/** Returns the templates by name, live. */
export const useTemplates = (isWanted: boolean) =>
  useQuery({ queryKey: templatesKey, enabled: isWanted, queryFn: fetchTemplates });

/** Creates a template (version 0) or replaces it. Rejects with CallError. */
export async function saveTemplate({ id, version, name, html, text }: Template): Promise<void> {
  const sealed = await keys().sealOwnRecord(kind, id, { name, html, text });
  await recordsClient.save({ kind, id, version, ...sealed });
}

/** Deletes a template; succeeds if it no longer exists. */
export async function removeTemplate(id: string): Promise<void> {
  await recordsClient.remove({ kind, id }).catch(error => {
    if (!(error instanceof CallError) || error.status !== 404) throw error;
  });
}
