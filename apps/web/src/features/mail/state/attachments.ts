// Saves what a mail carries: a file from its sealed container or from inside the mail, and the mail itself as .eml.
import type { Email } from '@keyfold/contract';
import { callback, keys } from '../../../crypto/key-client.ts';
import { saveFile } from '../../../platform/save-file.ts';
import { sendingClient } from '../../../session/calls/clients/sending.ts';
import type { WholeMail } from './queries.ts';

type Progress = (loadedBytes: number, totalBytes: number) => void;

async function fetchContainer(id: string, onProgress?: Progress, signal?: AbortSignal): Promise<Blob> {
  const answer = (await sendingClient.attachment(
    { id },
    { ...(onProgress === undefined ? {} : { onProgress }), ...(signal === undefined ? {} : { signal }) },
  )) as { readonly bytes?: Blob };
  if (answer.bytes === undefined) throw new Error('Failed to connect to the server');
  return answer.bytes;
}

type MailFile = WholeMail['content']['parsed']['attachments'][number];

/** A file of a mail as a Blob of its own type, from its sealed container or from inside the mail. */
export async function openMailFile(
  { content, external, mimeType }: MailFile,
  onProgress?: Progress,
  signal?: AbortSignal,
): Promise<Blob> {
  if (external === null) return new Blob([content as BlobPart], { type: mimeType });
  return keys().openFile(
    await fetchContainer(external.externalId, onProgress, signal),
    external.key,
    mimeType,
  );
}

/** The mail byte for byte, its files put back in. */
export async function fetchSource(mail: Email): Promise<Uint8Array> {
  const fetchBytes = async (id: string) => new Uint8Array(await (await fetchContainer(id)).arrayBuffer());
  return keys().openSource(mail, callback(fetchBytes));
}

/** Saves the mail as a .eml file. */
export async function saveSource(mail: Email, subject: string): Promise<void> {
  const source = await fetchSource(mail);
  await saveFile(new Blob([source as BlobPart]), `${subject || 'message'}.eml`);
}
