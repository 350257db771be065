/** The SMTP reply to mail for an address: its code and status, such as `250` or `550 5.1.1`. */
import { connectSmtp } from '@keyfold/testing/smtp';

/** Sends RCPT for one recipient and disconnects. */
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
