import { randomBytes } from 'node:crypto';
import { createFileKey, sealWholeAttachment } from '@keyfold/crypto/attachment';
import { createMessageKey } from '@keyfold/crypto/message';
import { authenticate } from 'mailauth';
import { pino } from 'pino';
import PostalMime from 'postal-mime';
import { describe, expect, test } from 'vitest';
import { useDeliveryTest } from '../../../../tests/harness/delivery.ts';
import { sealTestMessage } from '../../../../tests/harness/sending.ts';

const delivery = useDeliveryTest();

describe('outgoing mail', () => {
  test('arrives over TLS with a DKIM signature that its domain’s DNS record verifies', async () => {
    const { ann, dns, app } = delivery;
    const sent = await delivery.send({ to: ['bob@outside.test'], subject: 'Grüße', text: 'Out there' });
    await delivery.settled(0);
    const [message] = delivery.newMessages();
    expect(message).toMatchObject({ from: ann.email, to: ['bob@outside.test'], isSecure: true });
    const parsed = await PostalMime.parse(message?.raw ?? '');
    expect(parsed).toMatchObject({
      subject: 'Grüße',
      messageId: sent.message_id,
      from: { name: 'Ann Archer', address: ann.email },
    });
    expect(parsed.text).toContain('Out there');
    expect(Date.parse(parsed.date ?? '')).toBe(Math.floor(delivery.clock.now().getTime() / 1000) * 1000);
    const verdict = await authenticate(message?.raw ?? '', {
      ip: '127.0.0.1',
      helo: 'mail.keyfold.test',
      sender: ann.email,
      mta: 'mx.outside.test',
      resolver: app.deps.dns.resolve as never,
    });
    expect(verdict.dkim?.results.map(result => result.status.result)).toEqual(['pass']);
    expect(dns.asked).toContain('TXT kf1._domainkey.keyfold.test');
    const [copy] = (await ann.client.mail.query({ sent: true })).data;
    expect(copy).toMatchObject({ id: sent.id, public: true });
  });

  test('can be traced in the log by one id from sending to the remote server’s answer', async () => {
    const { logger } = delivery.app.deps;
    const lines: string[] = [];
    const { streamSym } = pino.symbols as unknown as { streamSym: symbol };
    const before = { level: logger.level, stream: Reflect.get(logger, streamSym) };
    logger.level = 'info';
    Reflect.set(logger, streamSym, { write: (line: string) => lines.push(line) });
    try {
      await delivery.send({ to: ['bob.canary@outside.test'], subject: 'Canary' });
      await delivery.settled(0);
      await expect.poll(() => lines.some(line => line.includes('mail delivered'))).toBe(true);
    } finally {
      logger.level = before.level;
      Reflect.set(logger, streamSym, before.stream);
    }
    delivery.newMessages();
    const found = lines.map(line => JSON.parse(line));
    const [queued, ...others] = found.filter(({ msg }) => msg === 'mail queued');
    expect(others).toEqual([]);
    expect(found.filter(({ msg }) => /^mail delivered|^delivery /.test(msg))).toEqual([
      expect.objectContaining({
        id: queued.id,
        domain: 'outside.test',
        attempt: 1,
        code: 250,
        remoteHost: expect.stringMatching(/\.test$/),
        durationMs: expect.any(Number),
      }),
    ]);
    for (const secret of ['canary', 'Canary', '@']) expect(lines.join('')).not.toContain(secret);
  });

  test('keeps its composer’s List-Unsubscribe fields under the signature', async () => {
    const { ann } = delivery;
    const fields = [
      'List-Id: <choir.keyfold.test>',
      'List-Unsubscribe: <https://choir.test/off?reader=7>, <mailto:off@choir.test>',
      'List-Unsubscribe-Post: List-Unsubscribe=One-Click',
    ];
    const payload = `From: ${ann.email}\r\nSubject: Rehearsal\r\n${fields.join('\r\n')}\r\n\r\nAt eight\r\n`;
    const authenticated = async (raw: string | Buffer) => {
      const { dkim } = await authenticate(raw, {
        ip: '127.0.0.1',
        helo: 'mail.keyfold.test',
        sender: ann.email,
        mta: 'mx.outside.test',
        resolver: delivery.app.deps.dns.resolve as never,
      });
      return dkim?.results.map(({ status, signingHeaders }) => ({
        result: status.result,
        signed: signingHeaders?.keys,
      }));
    };
    await delivery.send({ to: ['bob@outside.test'], payload });
    await delivery.settled(0);
    const raw = delivery.newMessages()[0]?.raw.toString() ?? '';
    for (const field of fields) expect(raw).toContain(`\r\n${field}\r\n`);
    const [verdict] = (await authenticated(raw)) ?? [];
    expect(verdict?.result).toBe('pass');
    expect(verdict?.signed?.toLowerCase().split(/[:;\s]+/)).toEqual(
      expect.arrayContaining(['list-id', 'list-unsubscribe', 'list-unsubscribe-post']),
    );
    const changed = raw.replace('https://choir.test/off', 'https://elsewhere.test/off');
    expect((await authenticated(changed))?.[0]?.result).toBe('fail');
  });

  test('reaches all recipients of a domain in one transaction and reveals no Bcc recipient', async () => {
    const { ben } = delivery;
    await delivery.send({
      to: ['bob@outside.test', ben],
      cc: ['cy@outside.test'],
      bcc: ['secret@outside.test', 'hidden@elsewhere.test'],
    });
    await delivery.settled(0);
    const messages = [...delivery.newMessages()].sort((a, b) => b.to.length - a.to.length);
    expect(messages.map(({ to }) => [...to].sort())).toEqual([
      ['bob@outside.test', 'cy@outside.test', 'secret@outside.test'],
      ['hidden@elsewhere.test'],
    ]);
    for (const { raw } of messages) {
      expect(raw.toString()).not.toMatch(/secret@|hidden@|^bcc:/im);
      const parsed = await PostalMime.parse(raw);
      expect(parsed.to?.map(({ address }) => address)).toEqual(['bob@outside.test', ben.email]);
      expect(parsed.cc?.map(({ address }) => address)).toEqual(['cy@outside.test']);
    }
    const [mail] = (await ben.client.mail.query({})).data;
    expect(mail?.headers).not.toMatch(/secret@|hidden@/);
    expect(mail).toMatchObject({ public: false });
  });

  test('with only Bcc recipients shows no address', async () => {
    await delivery.send({ bcc: ['secret@outside.test'] });
    await delivery.settled(0);
    const [message] = delivery.newMessages();
    expect(message?.raw.toString()).toContain('To: undisclosed-recipients:;');
    expect(message?.raw.toString()).not.toContain('secret@');
  });

  test('gets its encrypted attachments back', async () => {
    const { ann } = delivery;
    const messageKey = createMessageKey();
    const fileKey = createFileKey();
    const bytes = randomBytes(300_000);
    const container = await sealWholeAttachment({
      messageKey,
      fileKey,
      meta: { name: 'photo.png', type: 'image/png', size: bytes.length },
      bytes,
    });
    const { data: draft } = await ann.client.sending.empty({
      key_used: ann.identity.key_id,
      encrypted_key: randomBytes(60).toString('base64'),
      salt: randomBytes(32).toString('base64'),
    });
    const { data: stored } = await ann.client.sending.upload(
      { draft_id: draft.draft_id },
      { file: new Blob([container]) },
    );
    const payload = [
      `From: ${ann.email}`,
      'Subject: With a file',
      'Content-Type: multipart/mixed; boundary="b"',
      '',
      '--b',
      'Content-Type: text/plain',
      '',
      'See the photo',
      '--b',
      'Content-Type: message/external-body; access-type="x-keyfold";',
      ` id="${stored.id}"; size=${bytes.length};`,
      ` key="${Buffer.from(fileKey).toString('base64')}"`,
      '',
      'Content-Type: image/png',
      'Content-Disposition: attachment; filename="photo.png"',
      '',
      '--b--',
      '',
    ].join('\r\n');
    const request = await sealTestMessage(ann, {
      to: ['bob@outside.test'],
      payload,
      messageKey,
      attachments: 1,
    });
    await ann.client.sending.send_private({ ...request, draft_id: draft.draft_id });
    await delivery.settled(0);
    const parsed = await PostalMime.parse(delivery.newMessages()[0]?.raw ?? '');
    expect(parsed.attachments).toHaveLength(1);
    const [file] = parsed.attachments;
    expect(file).toMatchObject({ filename: 'photo.png', mimeType: 'image/png' });
    expect(Buffer.from(file?.content as ArrayBuffer).equals(bytes)).toBe(true);
    // The same reference counts as another user's file unless its container is attached to the
    // request.
    const stolen = await sealTestMessage(ann, { to: ['bob@outside.test'], payload, messageKey });
    await expect(ann.client.sending.send_private(stolen)).rejects.toMatchObject({ code: 'message_refused' });
    const forwarded = await ann.client.sending.send_private({
      ...stolen,
      forwarded_attachments: [stored.id],
    });
    expect(forwarded.data.id).toBeTruthy();
    await delivery.settled(0);
    expect(delivery.newMessages()).toHaveLength(1);
  });

  test('is refused when its inner sender is another user or the key does not open it', async () => {
    const { ann, ben } = delivery;
    const attempt = async (payload: string) => {
      const request = await sealTestMessage(ann, { to: ['bob@outside.test'], payload });
      return ann.client.sending.send_private(request);
    };
    const refused = { code: 'message_refused' };
    await expect(attempt(`From: ${ben.email}\r\nSubject: x\r\n\r\nhi`)).rejects.toMatchObject(refused);
    await expect(attempt(`From: ${ann.email}, ${ben.email}\r\n\r\nhi`)).rejects.toMatchObject(refused);
    await expect(attempt(`From: ${ann.email}\r\nFrom: ${ben.email}\r\n\r\nhi`)).rejects.toMatchObject(
      refused,
    );
    // Some readers treat a lone CR as a line end.
    await expect(attempt(`Subject: x\rFrom: ${ben.email}\r\n\r\nhi`)).rejects.toMatchObject(refused);
    await expect(attempt('Subject: nobody\r\n\r\nhi')).rejects.toMatchObject(refused);
    const request = await sealTestMessage(ann, { to: ['bob@outside.test'] });
    const wrongKey = { ...request, encryption_key: randomBytes(32).toString('base64') };
    await expect(ann.client.sending.send_private(wrongKey)).rejects.toMatchObject(refused);
    expect(await delivery.queueLength()).toBe(0);
  });

  test('carries no header fields that only mail servers may add', async () => {
    const { ann, ben } = delivery;
    const payload = [
      'Received: from bank by bank',
      'Authentication-Results: mx.outside.test; dkim=pass',
      'DKIM-Signature: v=1; d=bank.test',
      'Return-Path: <x@bank.test>',
      `Sender: ${ben.email}`,
      `Resent-From: ${ben.email}`,
      'Bcc: secret@outside.test',
      `From: ${ann.email}`,
      'To: bob@outside.test, friend@third.test',
      'Subject: First',
      'Subject: Second',
      'X-Custom: kept',
      '',
      'line one\nline two\rline three',
      '.',
      '..end',
    ].join('\r\n');
    await ann.client.sending.send_private(await sealTestMessage(ann, { to: ['bob@outside.test'], payload }));
    await delivery.settled(0);
    const text = delivery.newMessages()[0]?.raw.toString() ?? '';
    expect(text).not.toMatch(/bank|^sender:|^resent|^bcc|Second|(?<!\r)\n|\r(?!\n)/im);
    expect(text).toContain('X-Custom: kept\r\n');
    expect(text).toContain('To: bob@outside.test, friend@third.test\r\n');
    expect(text).toContain('line one\r\nline two\r\nline three\r\n.\r\n..end');
  });

  test('is stored unreadable in the queue', async () => {
    const { app } = delivery;
    await delivery.stop();
    const canary = `canary ${randomBytes(8).toString('hex')}`;
    await delivery.send({ to: ['canary.reader@outside.test'], subject: canary, text: canary });
    const rows = [
      await app.db.selectFrom('outbound_messages').selectAll().execute(),
      await app.db.selectFrom('outbound_recipients').selectAll().execute(),
      await app.db.selectFrom('send_receipts').selectAll().execute(),
    ];
    const dump = JSON.stringify(rows, (_key, value) =>
      value?.type === 'Buffer' ? Buffer.from(value.data).toString('latin1') : value,
    );
    for (const word of [canary, 'canary.reader', 'outside.test']) {
      expect(dump).not.toContain(word);
      expect(dump).not.toContain(Buffer.from(word).toString('base64').slice(0, -4));
    }
    await delivery.start();
    await delivery.settled(0);
    expect(delivery.newMessages()).toHaveLength(1);
  });

  test('reaches the second mail server when the first is down', async () => {
    const { dns } = delivery;
    dns.zone['two.test'] = {
      MX: [
        [10, 'dead.two.test'],
        [20, 'mx.outside.test'],
      ],
    };
    dns.zone['dead.two.test'] = { A: ['127.0.0.9'] };
    await delivery.send({ to: ['bob@two.test'] });
    await delivery.settled(0);
    expect(delivery.newMessages()).toHaveLength(1);
  });

  test('reaches a domain by its own address when it has no MX, and one with an international name', async () => {
    const { dns } = delivery;
    dns.zone['plain.test'] = { A: ['127.0.0.1'] };
    dns.zone['xn--bcher-kva.test'] = { MX: [[5, 'mx.outside.test']] };
    await delivery.send({ to: ['bob@plain.test', 'cy@bücher.test'] });
    await delivery.settled(0);
    expect(
      delivery
        .newMessages()
        .flatMap(({ to }) => to)
        .sort(),
      // The test server shows the domain in Unicode.
    ).toEqual(['bob@plain.test', 'cy@bücher.test']);
  });
});
