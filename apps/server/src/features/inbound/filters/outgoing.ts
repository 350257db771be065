/**
 * Scores outbound messages to external recipients while they are readable for the recipients'
 * servers: our own scorer, and rspamd where the operator enables it for outbound mail. The sender
 * is authenticated, so only the content counts. The GTUBE test line is ignored, because a reply may
 * quote it.
 */
import { parseAddressList } from '@keyfold/mail/addresses';
import { findHeader, findHeaderText, readHeaders } from '@keyfold/mail/mime/headers';
import type { Deps } from '../../../context/deps.ts';
import { scoreMail, withoutTestLine } from './score.ts';

const PROVED = { spf: 'pass', dkim: 'pass', dmarc: 'none', dmarcPolicy: 'none' } as const;
/** Client address reported to rspamd: this server. */
const OWN_IP = '127.0.0.1';

/** Returns a score on the scale of limits.ts. Never rejects. */
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
