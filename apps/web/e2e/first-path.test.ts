// The first complete path of two users in a real browser against the real product: they register,
// exchange sealed mail with a large attachment, read mail that arrived over SMTP, and reply to the
// outside, where an independent verifier accepts the signature. The product is then stopped, and
// none of that content may be found on its disk or in its log.

import { spawnSync } from 'node:child_process';
import { createHash, randomBytes } from 'node:crypto';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { verifyDkim } from '@keyfold/testing/dkim-verifier';
import type { Product } from '@keyfold/testing/product';
import { connectSmtp, deliver, type SmtpSink, startSmtpSink } from '@keyfold/testing/smtp';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { chromiumPath } from './harness/open-browser.ts';
import { openPerson, type Person } from './support/browser.ts';
import { findLeaks } from './support/disk.ts';
import { openMail, rowOf, signIn, signUp, startDraft } from './support/people.ts';
import { startProduct } from './support/story.ts';

const canary = randomBytes(6).toString('hex');
const subjects = {
  sealed: `Sealed subject ${canary}`,
  inbound: `Inbound Süßes ${canary}`,
  sent: `Re: Inbound Süßes ${canary}`,
};
const texts = {
  sealed: `Sealed body ${canary} words`,
  inbound: `Inbound body ${canary} words`,
  reply: `Answer body ${canary} words`,
};
const fileName = `secret-plans-${canary}.bin`;
const fileMark = `file content mark ${canary}`;
const FILE_BYTES = 12 * 1024 * 1024;

describe.skipIf(chromiumPath === null)('the first path (needs Chromium)', () => {
  let product: Product;
  let sink: SmtpSink;
  let browser: Browser;
  let alice: Person;
  let bob: Person;
  let dir = '';
  let filePath = '';

  beforeAll(async () => {
    sink = await startSmtpSink();
    ({ product, browser } = await startProduct({ SMTP_RELAY: `smtp://127.0.0.1:${sink.port}` }));
    [alice, bob] = [await openPerson(browser), await openPerson(browser)];
    dir = await mkdtemp(path.join(os.tmpdir(), 'kf-story-'));
    filePath = path.join(dir, fileName);
    await writeFile(
      filePath,
      Buffer.concat([Buffer.from(fileMark), randomBytes(FILE_BYTES - fileMark.length)]),
    );
  });

  afterAll(async () => {
    await browser?.close();
    await product?.remove();
    await sink?.close();
    if (dir !== '') await rm(dir, { recursive: true, force: true });
  });

  test('two users sign up', async () => {
    await signUp(alice.page, product.baseUrl, 'Alice Almeida', 'alice');
    await signUp(bob.page, product.baseUrl, 'Bob Brandt', 'bob');
    expect(new URL(bob.page.url()).pathname).toBe('/app/inbox/recieved/0');
  });

  test('one sends the other a sealed message with a 12 MB file', async () => {
    const { page } = alice;
    await startDraft(page, 'bob@keyfold.test', 'sealed');
    await page.getByRole('textbox', { name: 'Subject' }).fill(subjects.sealed);
    await page.getByRole('textbox', { name: 'Message' }).fill(texts.sealed);
    await page.locator('input[type=file]').setInputFiles(filePath);
    const bodies: string[] = [];
    page.on('request', request => {
      if (request.url().endsWith('/user/send_private')) bodies.push(request.postData() ?? '');
    });
    await expect
      .poll(() => page.getByRole('button', { name: `Remove ${fileName}` }).isVisible(), { timeout: 30_000 })
      .toBe(true);
    await page.getByRole('button', { name: 'Send', exact: true }).click();
    await expect.poll(() => bodies.length, { timeout: 30_000 }).toBe(1);
    expect(bodies[0]).toContain('"subject":"[...]"');
    expect(bodies[0]).not.toContain('encryption_key');
  });

  test('the recipient reads it, and the file arrives unchanged', async () => {
    const { page } = bob;
    await openMail(page, subjects.sealed);
    await page.getByText(texts.sealed).first().waitFor();
    await page
      .getByText(/End-to-end encrypted/)
      .first()
      .waitFor();
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: `Save ${fileName}`, exact: true }).click(),
    ]);
    expect(download.suggestedFilename()).toBe(fileName);
    const hash = (bytes: Buffer) => createHash('sha256').update(bytes).digest('hex');
    expect(hash(await readFile(await download.path()))).toBe(hash(await readFile(filePath)));
  });

  test('a message from any SMTP server arrives and is readable, with remote images blocked', async () => {
    const raw = [
      'From: Olga Outside <olga@outside.test>',
      'To: bob@keyfold.test',
      `Subject: =?utf-8?B?${Buffer.from(subjects.inbound).toString('base64')}?=`,
      `Message-ID: <${canary}@outside.test>`,
      'Date: Fri, 20 Nov 2026 10:00:00 +0000',
      'MIME-Version: 1.0',
      'Content-Type: text/html; charset=utf-8',
      '',
      `<p>${texts.inbound}</p><img src="http://127.0.0.1:${sink.port}/pixel.png"><script>document.title='owned'</script>`,
      '',
    ].join('\r\n');
    const client = await connectSmtp(product.smtpPort);
    await client.reply();
    await client.command('EHLO outside.test');
    expect(await deliver(client, { from: 'olga@outside.test', to: ['bob@keyfold.test'], raw })).toMatch(
      /^250/,
    );
    client.destroy();
    const { page } = bob;
    await openMail(page, subjects.inbound);
    await page.frameLocator('iframe[title="Message body"]').getByText(texts.inbound).waitFor();
    await page
      .getByText(/1 remote image/i)
      .first()
      .waitFor();
    expect(await page.title()).not.toBe('owned');
  });

  test('a reply to an outside address arrives with a valid signature', async () => {
    const { page } = bob;
    await page.getByRole('button', { name: 'Reply', exact: true }).last().click();
    const message = page.getByRole('textbox', { name: 'Message' });
    await message.fill(texts.reply);
    await page.getByRole('button', { name: /^Send, 1 not encrypted/ }).click();
    await expect.poll(() => sink.messages.length, { timeout: 20_000 }).toBe(1);
    const [sent] = sink.messages;
    expect(sent?.from).toBe('bob@keyfold.test');
    expect(sent?.to).toEqual(['olga@outside.test']);
    const admin = spawnSync(
      process.execPath,
      ['--disable-warning=ExperimentalWarning', 'apps/server/src/admin.ts', 'dkim'],
      {
        env: { PATH: process.env.PATH, KEYFOLD_DATA: product.dataDir },
        encoding: 'utf8',
      },
    );
    const findKey = (name: string) => {
      const line = admin.stdout.split('\n').find(one => one.startsWith(`${name}. TXT `));
      return line === undefined ? null : [...line.matchAll(/"([^"]*)"/g)].map(([, part]) => part).join('');
    };
    expect(verifyDkim(sent?.raw ?? Buffer.alloc(0), findKey)).toMatchObject({
      isValid: true,
      domain: 'keyfold.test',
    });
    const tampered = Buffer.from(
      (sent?.raw ?? Buffer.alloc(0)).toString('latin1').replace('Answer body', 'Another body'),
      'latin1',
    );
    expect(verifyDkim(tampered, findKey)).toMatchObject({ isValid: false });
    expect(sent?.raw.toString()).toContain(texts.reply);
  });

  test('a reload keeps the session, and a new sign-in opens the same mail', async () => {
    const { page } = bob;
    await page.goto(`${product.baseUrl}/app/inbox/recieved/0`);
    await rowOf(page, subjects.sealed).waitFor();
    const again = await openPerson(browser);
    await signIn(again.page, product.baseUrl, 'bob@keyfold.test');
    await rowOf(again.page, subjects.inbound).waitFor();
    expect(again.problems).toEqual([]);
    await again.context.close();
  });

  test('typed text is saved as a draft and reopens where it was left', async () => {
    const { page } = alice;
    await startDraft(page, 'bob@keyfold.test', 'sealed');
    await page.getByRole('textbox', { name: 'Subject' }).fill(`Draft ${canary}`);
    await page.getByRole('textbox', { name: 'Message' }).fill(`Unfinished ${canary}`);
    await page.getByText(/Draft saved/).waitFor();
    await page.getByRole('button', { name: 'Save and close' }).click();
    await page.goto(`${product.baseUrl}/app/inbox/drafts/0`);
    await rowOf(page, `Draft ${canary}`).getByRole('link').first().click();
    await page.getByRole('textbox', { name: 'Message' }).getByText(`Unfinished ${canary}`).waitFor();
    await page.getByRole('button', { name: 'Save and close' }).click();
  });

  test('no page logs an error', () => {
    expect([...alice.problems, ...bob.problems]).toEqual([]);
  });

  test('no message text is found on the disk or in the log of the stopped server', async () => {
    await product.stop();
    const words = [
      ...Object.values(subjects).map(text => text.replace(/^Re: /, '')),
      ...Object.values(texts),
      fileName,
      fileMark,
      `Draft ${canary}`,
      `Unfinished ${canary}`,
    ];
    expect(await findLeaks(product.dataDir, words, { output: product.output() })).toEqual([]);
  });
});
