/**
 * Every message of the MIME corpora of ../shared is sent by SMTP, encrypted, stored, decrypted with
 * the reader's keys and reassembled: byte for byte as sent. Line ends are converted to CR LF first,
 * as a sending server would do.
 */
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import { asData, connectSmtp, type SmtpClient } from '@keyfold/testing/smtp';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { FLAG_BITS } from '../src/base/flags.ts';
import {
  addReader,
  type InboundTest,
  readMails,
  recount,
  startInboundTest,
  type TestReader,
} from './harness/inbound.ts';

const corpus = path.resolve(import.meta.dirname, '../../../../shared/data/mime');
/** Other files of the corpora: expectations, notes, encoder samples. */
const NO_MESSAGE =
  /\.(json|golden|expected|md)$|COPYING|LICENSE|codec_|tutanota-mimetools-expected|header-cases/;

type Message = { readonly name: string; readonly raw: Buffer };

function toCrlf(bytes: Buffer): Buffer {
  const text = bytes.toString('latin1').replace(/\r?\n/g, '\r\n');
  // SMTP terminates the last line, whether or not the message did.
  return Buffer.from(text === '' || text.endsWith('\r\n') ? text : `${text}\r\n`, 'latin1');
}

const readCorpus = (): Message[] =>
  readdirSync(corpus, { recursive: true, encoding: 'utf8' })
    .filter(name => !NO_MESSAGE.test(name) && statSync(path.join(corpus, name)).isFile())
    .sort()
    .map(name => ({ name, raw: toCrlf(readFileSync(path.join(corpus, name))) }));

/**
 * Policy (smtp/inbound/line-check.ts): a CR without LF is refused. An LF without CR does not occur
 * after toCrlf.
 */
const isRefusable = ({ raw }: Message): boolean => /\r(?!\n)/.test(raw.toString('latin1'));

describe.skipIf(!existsSync(corpus))('the MIME corpora of ../shared/data/mime (skipped when absent)', () => {
  let inbound: InboundTest;
  let bob: TestReader;
  beforeAll(async () => {
    inbound = await startInboundTest();
    bob = await addReader(inbound.deps.db, ['bob@keyfold.test']);
  });
  afterAll(() => inbound.close());

  const send = async (client: SmtpClient, { raw }: Message): Promise<string> => {
    client.send('MAIL FROM:<al@sender.test>\r\nRCPT TO:<bob@keyfold.test>\r\nDATA\r\n');
    for (const code of ['250', '250', '354']) expect(await client.reply()).toMatch(new RegExp(`^${code}`));
    client.send(asData(raw));
    return client.reply();
  };

  test('are accepted, opened and returned unchanged', { timeout: 180_000 }, async () => {
    const messages = readCorpus();
    expect(messages.length).toBeGreaterThan(600);
    const taken: Message[] = [];
    const refused: string[] = [];
    const client = await connectSmtp(inbound.smtp.port);
    await client.reply();
    await client.command('EHLO sender.test');
    for (const message of messages) {
      const reply = await send(client, message);
      if (reply.startsWith('250')) taken.push(message);
      else refused.push(`${message.name}: ${reply}`);
    }
    client.destroy();
    expect(refused).toEqual(
      messages
        .filter(isRefusable)
        .map(({ name }) => `${name}: 550 5.5.2 Bare CR or LF in the message: lines must end with CR LF`),
    );

    const mails = await readMails(inbound, bob);
    // Two identical files with a Message-ID count as one repeated delivery.
    const seen = new Set<string>();
    const expected = taken.filter(({ raw }) => {
      const text = raw.toString('latin1');
      const isRepeated = seen.has(text) && mails.filter(mail => mail.raw.equals(raw)).length === 1;
      seen.add(text);
      return !isRepeated;
    });
    expect(mails.length).toBe(expected.length);
    const changed = mails
      .map((mail, index) =>
        mail.raw.equals(expected[index]?.raw ?? Buffer.alloc(0)) ? '' : expected[index]?.name,
      )
      .filter(name => name !== '');
    expect(changed).toEqual([]);
    for (const mail of mails) {
      expect(mail.headers).toMatch(/^Authentication-Results: mail\.keyfold\.test; /);
      expect(mail.headers).toContain('Subject: [...]\r\n');
      expect(mail.headers.length).toBeLessThan(32_768);
      // The corpora also contain spam and messages that fail their own domain's policy.
      expect(mail.flags & ~(FLAG_BITS.attachment | FLAG_BITS.flagged)).toBe(FLAG_BITS.public);
    }
    expect(mails.some(mail => mail.attachments > 0)).toBe(true);
    await recount(inbound.deps.db, bob.userId);
  });
});
