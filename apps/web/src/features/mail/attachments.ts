// Saves what a mail carries: a file from its sealed container or from inside the mail, and the mail itself as .eml.
import type { Email } from '@keyfold/contract';
import { callback, keys } from '../../crypto/key-client.ts';
import { fileNameOf } from '../../lib/file-names.ts';
import { saveFile } from '../../platform/save-file.ts';
import { client } from '../../session/client.ts';
import type { WholeMail } from './queries.ts';

async function fetchContainer(id: string): Promise<ArrayBuffer> {
  const answer = (await client.sending.attachment({ id })) as { readonly bytes?: Blob };
  if (answer.bytes === undefined) throw new Error('Failed to connect to the server');
  return answer.bytes.arrayBuffer();
}

type MailFile = WholeMail['content']['parsed']['attachments'][number];

/** A file of a mail as a Blob of its own type, from its sealed container or from inside the mail. */
export async function openMailFile({ content, external, mimeType }: MailFile): Promise<Blob> {
  if (external === null) return new Blob([content as BlobPart], { type: mimeType });
  return keys().openFile(await fetchContainer(external.externalId), external.key, mimeType);
}

/** Saves the file at this place of a mail. Rejects with words for people. */
export async function saveAttachment({ content }: WholeMail, index: number): Promise<void> {
  const file = content.parsed.attachments[index];
  if (file === undefined) throw new Error('Something failed');
  const name = fileNameOf(file);
  if (file.external === null) {
    saveFile(new Blob([file.content as BlobPart]), name);
    return;
  }
  const container = await fetchContainer(file.external.externalId);
  saveFile(await keys().openFile(container, file.external.key, file.mimeType), name);
}

/** The mail byte for byte, its files put back in. */
export async function fetchSource(mail: Email): Promise<Uint8Array> {
  const fetchBytes = async (id: string) => new Uint8Array(await fetchContainer(id));
  return keys().openSource(mail, callback(fetchBytes));
}

/** Saves the mail as a .eml file. */
export async function saveSource(mail: Email, subject: string): Promise<void> {
  const source = await fetchSource(mail);
  saveFile(new Blob([source as BlobPart]), `${subject || 'message'}.eml`);
}
