// A message and the Outlook envelopes in it (winmail.dat): the request to the worker that unpacks
// one, and the message with the unpacked content. The envelope itself stays among the attachments,
// so that it can be downloaded and forwarded unchanged.
import { isTnefFile } from '@keyfold/mail/mime/container-kind';
import type { ParsedAttachment, ParsedMessage } from '@keyfold/mail/mime/parse';

/** Maximum number of envelopes unpacked per message. */
const ENVELOPES_MAX = 5;

/** Parts of a message that determine which content of an envelope is shown. */
export type AroundEnvelope = {
  readonly html: string | null;
  readonly text: string | null;
  /** Names and sizes of the existing attachments. */
  readonly files: readonly (readonly [name: string | null, sizeBytes: number])[];
};

/** Content of a message after unpacking an envelope in it. */
export type FromEnvelope = {
  readonly html: string | null;
  readonly text: string | null;
  readonly files: ParsedAttachment[];
};

export const aroundOf = ({ html, text, attachments }: ParsedMessage): AroundEnvelope => ({
  html,
  text,
  files: attachments.map(({ filename, content, external }) => [
    filename,
    external?.sizeBytes ?? content.length,
  ]),
});

/** Returns the message with the content of the envelope at this index. */
export function withEnvelope(message: ParsedMessage, index: number, unpacked: FromEnvelope): ParsedMessage {
  const attachments = message.attachments.map((file, at) =>
    at === index ? { ...file, isUnpacked: true as const } : file,
  );
  return {
    ...message,
    html: unpacked.html,
    text: unpacked.text,
    attachments: [...attachments, ...unpacked.files],
  };
}

/** Returns the indexes of a message's envelopes that are not unpacked yet. */
export function findEnvelopes({ attachments }: ParsedMessage): number[] {
  return attachments
    .flatMap((file, index) => (isTnefFile(file) && file.isUnpacked !== true ? [index] : []))
    .slice(0, ENVELOPES_MAX);
}

/** Returns whether all text of a message is in an envelope that is not unpacked yet. */
export const isPackedWhole = (message: ParsedMessage): boolean =>
  message.html === null && (message.text ?? '').trim() === '' && findEnvelopes(message).length > 0;
