import PostalMime from 'postal-mime';
import { afterEach, describe, expect, test } from 'vitest';
import { useDeliveryTest } from '../../../../tests/harness/delivery.ts';
import { readCounters } from '../../../../tests/harness/mailbox.ts';
import { OUTBOUND_GIVE_UP_MS } from '../../../base/sending-limits.ts';

const delivery = useDeliveryTest();

const HOUR_MS = 3_600_000;

afterEach(() => {
  delivery.sink.refuseRecipient = () => null;
  delivery.sink.refuseMessage = () => null;
});

async function statusPart(notice: string | null): Promise<string> {
  const parsed = await PostalMime.parse(notice ?? '');
  const part = parsed.attachments.find(({ mimeType }) => mimeType === 'message/delivery-status');
  return new TextDecoder().decode(part?.content as ArrayBuffer);
}

describe('a permanently refused recipient', () => {
  test('is reported to the sender only, while the others get the message', async () => {
    const { sink, ann } = delivery;
    sink.refuseRecipient = address => (address.startsWith('gone') ? [550, '5.1.1 No such user'] : null);
    const sent = await delivery.send({
      to: ['bob@outside.test', 'gone@outside.test'],
      subject: 'Private matter',
      text: 'Not for the notice',
    });
    await delivery.settled(0);
    expect(delivery.newMessages().map(({ to }) => to)).toEqual([['bob@outside.test']]);
    const notice = await delivery.newestNotice();
    const parsed = await PostalMime.parse(notice ?? '');
    expect(parsed.subject).toBe('Undelivered mail returned to sender');
    expect(parsed.from?.address).toBe('mailer-daemon@mail.keyfold.test');
    expect(parsed.inReplyTo).toBe(sent.message_id);
    expect(parsed.text).toContain('gone@outside.test');
    const status = await statusPart(notice);
    expect(status).toContain('Final-Recipient: rfc822;gone@outside.test');
    expect(status).toContain('Action: failed');
    expect(status).toContain('Status: 5.1.1');
    expect(status).toContain('Remote-MTA: dns;mx.outside.test');
    expect(status).toMatch(/Diagnostic-Code: smtp;550 5\.1\.1 No such user/);
    expect(status).not.toContain('bob@');
    expect(notice).toContain('Subject: Private matter');
    expect(notice).not.toContain('Not for the notice');
    const [mail] = (await ann.client.mail.query({ sent: false })).data;
    expect(mail?.headers).not.toContain('Private matter');
    // Only this server can have written the notice, and its Authentication-Results say so.
    expect(mail?.headers).toMatch(
      /^Authentication-Results: mail\.keyfold\.test; dmarc=pass\s+header\.from=mail\.keyfold\.test\r\n/m,
    );
    const { kept, recounted } = await readCounters(delivery.app.db);
    expect([kept.counts, kept.used]).toEqual([recounted.counts, recounted.used]);
  });

  test('after DATA fails all recipients of the transaction', async () => {
    delivery.sink.refuseMessage = () => [554, '5.7.1 Looks like spam'];
    await delivery.send({ to: ['bob@outside.test', 'cy@outside.test'] });
    await delivery.settled(0);
    expect(delivery.newMessages()).toEqual([]);
    const status = await statusPart(await delivery.newestNotice());
    expect(status.match(/Status: 5\.7\.1/g)).toHaveLength(2);
  });

  test.each([
    ['a domain that does not exist', 'x@nowhere.test', '5.1.2'],
    ['a domain that says it takes no mail', 'x@nullmx.test', '5.1.10'],
    ['a domain of ours without such a mailbox', 'nobody.here@keyfold.test', '5.1.1'],
  ])('may be at %s', async (_what, address, status) => {
    delivery.dns.zone['nullmx.test'] = { MX: [[0, '']] };
    await delivery.send({ to: [address] });
    await delivery.settled(0);
    const report = await statusPart(await delivery.newestNotice());
    expect(report).toContain(`Final-Recipient: rfc822;${address}`);
    expect(report).toContain(`Status: ${status}`);
  });
});

describe('a temporarily refused recipient', () => {
  test('is retried after each wait, without the others', async () => {
    const { sink, clock } = delivery;
    sink.refuseRecipient = address => (address.startsWith('busy') ? [451, '4.3.0 Try later'] : null);
    await delivery.send({ to: ['bob@outside.test', 'busy@outside.test'] });
    await delivery.settled(1);
    expect(delivery.newMessages().map(({ to }) => to)).toEqual([['bob@outside.test']]);
    clock.advance(59_000);
    delivery.wake();
    await delivery.settled(1);
    sink.refuseRecipient = () => null;
    clock.advance(1_000);
    delivery.wake();
    await delivery.settled(0);
    expect(delivery.newMessages().map(({ to }) => to)).toEqual([['busy@outside.test']]);
  });

  test('may be at a domain whose name servers are silent', async () => {
    const { dns, clock } = delivery;
    dns.zone['late.test'] = { MX: [[10, 'mx.outside.test']] };
    dns.failing.add('late.test');
    await delivery.send({ to: ['bob@late.test'] });
    await delivery.settled(1);
    dns.failing.delete('late.test');
    clock.advance(60_000);
    delivery.wake();
    await delivery.settled(0);
    expect(delivery.newMessages()).toHaveLength(1);
  });

  test('is reported as delayed within four hours and given up after five days', async () => {
    const { sink, clock } = delivery;
    sink.refuseRecipient = () => [450, '4.2.1 Mailbox busy'];
    const startedAt = clock.now().getTime();
    await delivery.send({ to: ['busy@outside.test'] });
    await delivery.settled(1);
    let attempts = 1;
    const attemptsNow = async () => {
      const row = await delivery.app.db
        .selectFrom('outbound_recipients')
        .select(['attempts', 'next_attempt_at'])
        .executeTakeFirst();
      return row;
    };
    let delayed: string | null = null;
    for (;;) {
      const row = await attemptsNow();
      if (row === undefined) break;
      expect(row.attempts).toBe(attempts++);
      if (row.attempts === 7) delayed = await delivery.newestNotice();
      clock.advance(new Date(row.next_attempt_at).getTime() - clock.now().getTime());
      delivery.wake();
      await expect
        .poll(async () => (await attemptsNow())?.attempts ?? 'gone', { interval: 10, timeout: 5_000 })
        .not.toBe(row.attempts);
    }
    expect(await statusPart(delayed)).toMatch(/Action: delayed\r?\nStatus: 4\.2\.1/);
    expect(delayed).toContain('Will-Retry-Until:');
    const tookMs = clock.now().getTime() - startedAt;
    expect(Math.abs(tookMs - OUTBOUND_GIVE_UP_MS)).toBeLessThan(HOUR_MS);
    expect(await statusPart(await delivery.newestNotice())).toMatch(/Action: failed\r?\nStatus: 5\.4\.7/);
  });
});
