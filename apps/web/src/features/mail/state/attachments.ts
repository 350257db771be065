// Saves the attachments of a message, from an encrypted blob or from inside the message, and the
// message itself as .eml.
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

/**
 * Returns an attachment as a Blob with its type, from an encrypted blob or from inside the message.
 */
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

/** Returns the source of a message byte for byte, with its attachments put back in. */
export async function fetchSource(mail: Email): Promise<Uint8Array> {
  const fetchBytes = async (id: string) => new Uint8Array(await (await fetchContainer(id)).arrayBuffer());
  return keys().openSource(mail, callback(fetchBytes));
}

/** Saves the message as a .eml file. */
export async function saveSource(mail: Email, subject: string): Promise<void> {
  const source = await fetchSource(mail);
  await saveFile(new Blob([source as BlobPart]), `${subject || 'message'}.eml`);
}
