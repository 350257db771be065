// A message and the envelopes of Outlook in it (winmail.dat): what is asked of a worker to unpack one, and the message with
// what came out. The envelope itself stays among the files, so that it can be saved and sent on as it came.
import { isTnefFile } from '@keyfold/mail/mime/container-kind';
import type { ParsedAttachment, ParsedMessage } from '@keyfold/mail/mime/parse';

/** Envelopes of one message that are unpacked. */
const ENVELOPES_MAX = 5;

/** What of a message decides which part of an envelope is shown. */
export type AroundEnvelope = {
  readonly html: string | null;
  readonly text: string | null;
  /** Names and sizes of the files that are there already. */
  readonly files: readonly (readonly [name: string | null, sizeBytes: number])[];
};

/** What a message shows once an envelope in it was unpacked. */
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

/** The message with what came out of the envelope at a place in it. */
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

/** Places of the envelopes of a message that were not unpacked yet. */
export function findEnvelopes({ attachments }: ParsedMessage): number[] {
  return attachments
    .flatMap((file, index) => (isTnefFile(file) && file.isUnpacked !== true ? [index] : []))
    .slice(0, ENVELOPES_MAX);
}

/** Whether all words of a message are in an envelope that was not unpacked yet. */
export const isPackedWhole = (message: ParsedMessage): boolean =>
  message.html === null && (message.text ?? '').trim() === '' && findEnvelopes(message).length > 0;
