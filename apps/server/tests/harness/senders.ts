/**
 * What tests of arriving mail have in common outside of the product: the DNS of a sender whose mail may come from here, and of
 * one that disowns it; and a machine that has greeted the SMTP listener.
 */
import { connectSmtp, type SmtpClient } from '@keyfold/testing/smtp';
import { startTestDns, type TestDns, type Zone } from './dns.ts';

/** A DNS server; `zone` adds to what it knows. */
export const startSendersDns = (zone: Zone = {}): Promise<TestDns> =>
  startTestDns({
    // Mail of good.example may come from here; what claims to be strict.example is disowned by it.
    'good.example': { TXT: ['v=spf1 ip4:127.0.0.1 -all'] },
    '_dmarc.good.example': { TXT: ['v=DMARC1; p=reject'] },
    'strict.example': { TXT: ['v=spf1 -all'] },
    '_dmarc.strict.example': { TXT: ['v=DMARC1; p=reject'] },
    ...zone,
  });

/** A connection that has said who it is. */
export async function greetSmtp(port: number | null | undefined): Promise<SmtpClient> {
  const smtp = await connectSmtp(port ?? 0);
  await smtp.reply();
  await smtp.command('EHLO out.example');
  return smtp;
}
