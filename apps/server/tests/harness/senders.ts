/**
 * External setup that tests of inbound mail share: DNS for a sender whose mail may come from here
 * and for one that rejects such mail, and a connection that has greeted the SMTP listener.
 */
import { connectSmtp, type SmtpClient } from '@keyfold/testing/smtp';
import { startTestDns, type TestDns, type Zone } from './dns.ts';

/** Starts a DNS server. `zone` adds to its records. */
export const startSendersDns = (zone: Zone = {}): Promise<TestDns> =>
  startTestDns({
    // good.example permits mail from here; strict.example rejects it.
    'good.example': { TXT: ['v=spf1 ip4:127.0.0.1 -all'] },
    '_dmarc.good.example': { TXT: ['v=DMARC1; p=reject'] },
    'strict.example': { TXT: ['v=spf1 -all'] },
    '_dmarc.strict.example': { TXT: ['v=DMARC1; p=reject'] },
    ...zone,
  });

/** Opens a connection and sends EHLO. */
export async function greetSmtp(port: number | null | undefined): Promise<SmtpClient> {
  const smtp = await connectSmtp(port ?? 0);
  await smtp.reply();
  await smtp.command('EHLO out.example');
  return smtp;
}
