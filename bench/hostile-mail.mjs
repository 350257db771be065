/**
 * hostile-mail: sends every message of the corpora beside the checkout (../shared/data: mime and
 * html) by SMTP into one mailbox and opens each in Chromium with remote content off. Reports how
 * long it takes to paint, whether its source is viewable, and whether anything runs, makes
 * requests, navigates or leaves its frame. Argument: maximum number of messages (default all, some
 * 800, for many minutes).
 */

import process from 'node:process';
import { createProduct } from '@keyfold/testing/product';
import { connectSmtp, deliver } from '@keyfold/testing/smtp';
import { startTestDns } from '../apps/server/tests/harness/dns.ts';
import { clientOf, join } from '../apps/web/e2e/support/accounts.ts';
import { openPerson } from '../apps/web/e2e/support/browser.ts';
import { percentile } from './big-mailbox/measure.mjs';
import { hasMimeCorpora, readCorpora } from './hostile-mail/corpora.mjs';
import { canSeeSource, findOutbreaks, openMail } from './hostile-mail/look.mjs';
import { openChromium } from './shared/chromium.mjs';

const TO = 'alice@keyfold.test';
const CANARY = 'https://canary.test';
const VIEW_MAX_MS = 2_000;
const PAGE_MAILS = 200;
const NAMED_MAX = 10;
const TOLD_EVERY = 50;
/** The policy refuses a CR without its LF (smtp/inbound/line-check.ts). */
const isRefusable = raw => /\r(?!\n)/.test(raw.toString('latin1'));

/** Sends all messages. Returns the names of those refused although the policy allows them. */
async function sendAll(smtpPort, mails) {
  const refused = [];
  const client = await connectSmtp(smtpPort);
  await client.reply();
  await client.command('EHLO outside.test');
  for (const { name, raw } of mails) {
    const answer = await deliver(client, { from: 'olga@outside.test', to: [TO], raw });
    if (!answer.startsWith('250') && !isRefusable(raw)) refused.push(`${name}: ${answer}`);
  }
  client.destroy();
  return refused;
}

async function idsOf(client) {
  const ids = [];
  for (let lastId; ; ) {
    const { data } = await client.mail.query({
      ...{ count: PAGE_MAILS, view: 'summary' },
      ...(lastId === undefined ? {} : { last_id: lastId }),
    });
    ids.push(...data.map(({ id }) => id));
    lastId = data.at(-1)?.id;
    if (data.length < PAGE_MAILS) return ids;
  }
}

/** Counts requests to the outside, opened windows, and dialogs that block the page. */
async function watchOutside({ context, page }, baseUrl) {
  const seen = [];
  const isOurs = url => url.startsWith(baseUrl) || /^(?:blob|data|about):/.test(url);
  await context.route(
    url => !isOurs(url.href),
    route => {
      seen.push(`requested ${route.request().url().slice(0, 80)}`);
      return route.abort();
    },
  );
  context.on('page', () => seen.push('opened a window'));
  page.on('dialog', dialog => {
    seen.push('opened a dialog');
    return dialog.dismiss();
  });
  return seen;
}

async function openAll(page, ids, seen) {
  /** @type {{ times: number[], unopened: string[], sourceless: string[], outbreaks: string[] }} */
  const result = { times: [], unopened: [], sourceless: [], outbreaks: [] };
  for (const [index, id] of ids.entries()) {
    if (index % TOLD_EVERY === 0) process.stderr.write(`hostile-mail: ${index} of ${ids.length} checked\n`);
    const before = seen.length;
    const ms = await openMail(page, id);
    if (ms === null) {
      result.unopened.push(id);
      continue;
    }
    result.times.push(ms);
    const found = [...(await findOutbreaks(page, id)), ...seen.slice(before)];
    if (found.length > 0) result.outbreaks.push(`${id}: ${[...new Set(found)].join(', ')}`);
    if (!(await canSeeSource(page, id).catch(() => false))) {
      result.sourceless.push(id);
      await page.keyboard.press('Escape');
    }
  }
  return result;
}

const line = (bench, ours, peer, unit, goal, more = {}) => ({
  ...{ bench: `hostile-mail ${bench}`, ours, peer, unit, peer_is: 'the goal', goal, ...more },
});

const countLine = (bench, list, of) =>
  line(bench, list.length, 0, `of ${of} messages`, '0', {
    met: list.length === 0,
    ...(list.length > 0 ? { failed: list.slice(0, NAMED_MAX) } : {}),
  });

export async function run([most = '100000']) {
  if (!hasMimeCorpora) throw new Error('the corpora (../shared/data/mime) are not next to the checkout');
  // The senders' domains are looked up only here.
  const dns = await startTestDns({});
  const product = await createProduct({ KEYFOLD_ARRIVALS_PER_MINUTE: '0', DNS_SERVERS: dns.server });
  await product.start();
  const browser = await openChromium();
  try {
    const person = await openPerson(browser);
    await join(person, product.baseUrl, 'Alice Almeida', 'alice');
    const mails = readCorpora(CANARY, "parent.document.title='owned'").slice(-Number(most));
    const refused = await sendAll(product.smtpPort, mails);
    const ids = await idsOf(clientOf(person, product.baseUrl));
    const { page } = person;
    await page.goto(`${product.baseUrl}/app/inbox/all/0`);
    await page.getByRole('button', { name: 'Refresh' }).waitFor();
    const seen = await watchOutside(person, product.baseUrl);
    const { times, unopened, sourceless, outbreaks } = await openAll(page, ids, seen);
    const slow = times.filter(ms => ms >= VIEW_MAX_MS);
    const slowest = times.length === 0 ? null : Math.round(Math.max(...times));
    const figures = {
      p50_ms: Math.round(percentile(times, 0.5)),
      p95_ms: Math.round(percentile(times, 0.95)),
    };
    return [
      line('view', slowest, VIEW_MAX_MS, `ms until painted, slowest of ${times.length} messages`, 'below 1', {
        met: slowest === null ? null : slow.length === 0,
        figures,
      }),
      countLine('not opened', [...refused, ...unopened], mails.length),
      countLine('without source', sourceless, ids.length),
      countLine('ran a script, sent a request, navigated or left the frame', outbreaks, ids.length),
    ];
  } finally {
    await browser.close();
    await product.remove();
    await dns.close();
  }
}
