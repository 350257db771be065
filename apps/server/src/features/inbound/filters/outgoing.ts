/**
 * How much a letter to the outside looks like spam, while it is readable for its recipients' servers: the points of the scorer of
 * our own, and those of rspamd where the operator wants it shown such letters. Who sends it is proved, so only what stands in it
 * counts; but not the test line of all filters, which a reply quotes whoever wrote it.
 */
import { parseAddressList } from '@keyfold/mail/addresses';
import { findHeader, findHeaderText, readHeaders } from '@keyfold/mail/mime/headers';
import type { Deps } from '../../../context/deps.ts';
import { scoreMail, withoutTestLine } from './score.ts';

const PROVED = { spf: 'pass', dkim: 'pass', dmarc: 'none', dmarcPolicy: 'none' } as const;
/** Where rspamd is told that it comes from: ourselves. */
const OWN_IP = '127.0.0.1';

/** Points on the scale of limits.ts. Never rejects. */
export async function scoreOutgoing(
  { clock, config, spamScanner }: Pick<Deps, 'clock' | 'config' | 'spamScanner'>,
  message: Uint8Array,
  sender: string,
): Promise<number> {
  const raw = withoutTestLine(message);
  const fields = readHeaders(raw);
  const own = scoreMail({
    verdicts: PROVED,
    fields,
    raw,
    from: parseAddressList(findHeader(fields, 'from')?.value ?? ''),
    subject: findHeaderText(fields, 'subject'),
    helo: config.hostname,
    host: 'named',
    ownNames: [],
    receivedAt: clock.now(),
  });
  const scanner = config.isOutgoingScanned ? spamScanner : null;
  const scanned = await scanner?.scan({
    raw,
    clientIp: OWN_IP,
    helo: config.hostname,
    hostName: config.hostname,
    envelopeFrom: sender,
    isOutgoing: true,
  });
  raw.fill(0);
  return Math.max(own, scanned ?? Number.NEGATIVE_INFINITY);
}
