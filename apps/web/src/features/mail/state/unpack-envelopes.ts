// Unpacks Outlook envelopes (winmail.dat) in an opened message, so that their content is shown as
// part of the message.
import type { Email } from '@keyfold/contract';
import { keys } from '../../../crypto/key-client.ts';
import { unpackEnvelopeFile } from '../../../crypto/mail/containers-client.ts';
import { aroundOf, findEnvelopes, isPackedWhole, withEnvelope } from '../../../crypto/mail/envelopes.ts';
import type { OpenedMail } from '../../../crypto/mail/mail-opener.ts';
import type { MendedSummary } from '../../../crypto/mail/mended-summary.ts';
import { openMailFile } from './attachments.ts';

/**
 * Returns the message with the content of its envelopes, or the same message when it has none. An
 * envelope that cannot be fetched or read stays a file. `isWanted` selects the envelopes to unpack.
 */
export async function unpackEnvelopes(
  mail: Email,
  content: OpenedMail,
  isWanted: (file: OpenedMail['parsed']['attachments'][number]) => boolean = () => true,
): Promise<OpenedMail> {
  if (content.failed !== null || content.kind !== 'mail') return content;
  let { parsed } = content;
  for (const index of findEnvelopes(parsed)) {
    const file = parsed.attachments[index];
    if (file === undefined || !isWanted(file)) continue;
    const answer = await openMailFile(file)
      .then(blob => unpackEnvelopeFile(blob, aroundOf(parsed)))
      .catch(() => null);
    if (answer?.kind === 'opened') parsed = withEnvelope(parsed, index, answer.value);
  }
  if (parsed === content.parsed) return content;
  const mended = await findMended(mail, content, parsed).catch(() => null);
  return { ...content, parsed, ...(mended === null ? {} : { mended }) };
}

/** Maximum number of characters that a snippet is made from. */
const SNIPPET_SOURCE_MAX = 200_000;

/**
 * Returns the corrected summary for the rows of a message whose text came out of an envelope, which
 * the server cannot read.
 */
async function findMended(
  mail: Email,
  { parsed: packed, path, mended }: OpenedMail,
  { text, html }: OpenedMail['parsed'],
): Promise<MendedSummary | null> {
  if (path === null || mended !== undefined || !isPackedWhole(packed)) return null;
  const bodies = {
    text: text?.slice(0, SNIPPET_SOURCE_MAX) ?? null,
    html: html?.slice(0, SNIPPET_SOURCE_MAX) ?? null,
  };
  return keys().mendSnippet({ ...mail, body: null }, bodies);
}
