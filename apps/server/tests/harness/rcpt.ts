/**
 * What SMTP says to mail for an address: the code and status of the reply, such as `250` or `550 5.1.1`.
 */
import { connectSmtp } from '@keyfold/testing/smtp';

/** Asks about one recipient and goes. */
export async function askRecipient(smtpPort: number | null, address: string): Promise<string> {
  const smtp = await connectSmtp(smtpPort ?? 0);
  try {
    await smtp.reply();
    await smtp.command('EHLO peer.test');
    await smtp.command('MAIL FROM:<friend@outside.test>');
    const reply = await smtp.command(`RCPT TO:<${address}>`);
    return reply.startsWith('250') ? '250' : reply.slice(0, 9);
  } finally {
    smtp.destroy();
  }
}
