// Unpacks the envelopes of Outlook (winmail.dat) in an opened mail, so that what is in them is shown as the mail's own.
import { unpackEnvelopeFile } from '../../../crypto/mail/containers-client.ts';
import { aroundOf, findEnvelopes, withEnvelope } from '../../../crypto/mail/envelopes.ts';
import type { OpenedMail } from '../../../crypto/mail/mail-opener.ts';
import { openMailFile } from './attachments.ts';

/**
 * The mail with what is in its envelopes; one that cannot be fetched or read stays a file. `isWanted` leaves others alone.
 * The same mail when there are none.
 */
export async function unpackEnvelopes(
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
  return parsed === content.parsed ? content : { ...content, parsed };
}
