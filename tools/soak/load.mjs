/**
 * The load of the soak test: users receive mail, write to each other and to external addresses,
 * browse lists, search, upload attachments to drafts and listen for events, all at a moderate rate.
 * Mail is permanently deleted as it arrives, so that storage does not grow. Every failure is
 * counted; an incorrect API response ends the test.
 */

import { createHash, randomBytes } from 'node:crypto';
import { createTestClient } from '../../apps/server/tests/harness/client.ts';
import { composeInner, sealTestMessage } from '../../apps/server/tests/harness/sending.ts';
import { createFileKey, sealWholeAttachment } from '../../packages/crypto/src/attachment.ts';
import { createMessageKey, wrapForSelf } from '../../packages/crypto/src/message.ts';
import { connectSmtp, deliver } from '../../packages/testing/src/smtp.ts';

const KIB = 1024;
/** Messages that a mailbox keeps while the test runs. */
const KEPT_MAILS = 150;
const UPLOAD_BYTES = 100 * KIB;
const EVENTS_MS = 20_000;

/** Rate of each action per second, for all users together. */
export const RATES = {
  'mail in': 5,
  'large mail in': 0.2,
  send: 1,
  'send outside': 0.2,
  list: 6,
  search: 1,
  'check for news': 3,
  open: 3,
  upload: 0.5,
  'clear out': 0.2,
  'sign in again': 0.05,
};

const pick = list => list[Math.floor(Math.random() * list.length)];
const letterOf = (to, size) =>
  [
    'From: Writer <writer@outside.test>',
    `To: ${to}`,
    `Subject: ${randomBytes(8).toString('hex')}`,
    `Message-ID: <${randomBytes(12).toString('hex')}@outside.test>`,
    'Date: Sat, 21 Nov 2026 10:00:00 +0000',
    '',
    ...(randomBytes(size)
      .toString('base64')
      .match(/.{1,76}/g) ?? []),
    '',
  ].join('\r\n');

/**
 * Starts the load on a service at `pace` times the rates. `stop` resolves when everything in
 * progress has finished.
 */
export function startLoad({ baseUrl, smtpPort, users, listeners, pace = 1 }) {
  const done = new Map();
  const failed = new Map();
  let isOver = false;
  const count = (map, name) => map.set(name, (map.get(name) ?? 0) + 1);

  const deliverMail = async size => {
    const to = pick(users).email;
    const client = await connectSmtp(smtpPort);
    try {
      await client.reply();
      await client.command('EHLO mx.outside.test');
      const answer = await deliver(client, {
        from: 'writer@outside.test',
        to: [to],
        raw: letterOf(to, size),
      });
      if (!answer.startsWith('250')) throw new Error(answer);
      await client.command('QUIT').catch(() => undefined);
    } finally {
      client.destroy();
    }
  };
  const send = async outside => {
    const [sender, reader] = [pick(users), pick(users)];
    const to = outside ? [`friend.${randomBytes(6).toString('hex')}@outside.test`] : [reader];
    const letter = { to, subject: 'Soak', text: randomBytes(KIB).toString('hex') };
    const request = await sealTestMessage(sender, { ...letter, payload: composeInner(sender, letter) });
    await sender.client.sending.send_private(request, {
      headers: { 'idempotency-key': randomBytes(16).toString('hex') },
    });
  };
  const page = (user, more = {}) => user.client.mail.query({ count: 50, view: 'summary', ...more });
  const upload = async () => {
    const user = pick(users);
    const [messageKey, fileKey] = [createMessageKey(), createFileKey()];
    const wrap = await wrapForSelf(messageKey, createHash('sha256').digest(), {
      email: user.email,
      sent_key: user.identity.sent_key,
      key_id: user.identity.key_id,
    });
    const { data } = await user.client.sending.empty({
      key_used: wrap.key_used,
      encrypted_key: wrap.second_stage_key_encrypted,
      salt: wrap.salt,
    });
    const bytes = randomBytes(UPLOAD_BYTES);
    const meta = { name: 'a', type: 'application/octet-stream', size: bytes.length };
    const file = new Blob([await sealWholeAttachment({ messageKey, fileKey, meta, bytes })]);
    await user.client.sending.upload({ draft_id: data.draft_id }, { file });
  };
  /**
   * Deletes everything beyond the newest messages: first to Deleted, then permanently. Two runs in
   * one mailbox may find each other's messages already gone.
   */
  const clearOut = async () => {
    const user = pick(users);
    for (let round = 0; round < 2; round++) {
      const { data } = await user.client.mail.query({ count: 200, view: 'summary', skip: KEPT_MAILS });
      if (data.length === 0) return;
      await user.client.mail.remove({ email_id: data.map(({ id }) => id) }).catch(unlessGone);
    }
  };
  const WORK = {
    'mail in': () => deliverMail(3 * KIB),
    'large mail in': () => deliverMail(300 * KIB),
    send: () => send(false),
    'send outside': () => send(true),
    list: () => page(pick(users), { deleted: false, threading: Math.random() < 0.3 }),
    search: () => page(pick(users), { search: Buffer.from('writer').toString('base64') }),
    'check for news': () => pick(users).client.mail.check_new({}),
    open: async () => {
      const user = pick(users);
      const { data } = await page(user);
      if (data.length > 0) await user.client.mail.one({ id: pick(data).id }).catch(unlessGone);
    },
    upload,
    'clear out': clearOut,
    'sign in again': async () => {
      const { email, loginHash } = pick(users);
      const client = createTestClient(baseUrl);
      await client.sign_in.login({ email, password: loginHash, keep_signed_in: false });
      await client.auth.logout({});
    },
  };

  const running = new Set();
  const track = work => {
    const one = work.finally(() => running.delete(one));
    running.add(one);
  };
  const repeat = async (name, rate) => {
    while (!isOver) {
      // Random intervals, as with real users; on average at the rate.
      await new Promise(resolve => setTimeout(resolve, (-Math.log(1 - Math.random()) / rate) * 1000));
      if (isOver) return;
      track(
        WORK[name]().then(
          () => count(done, name),
          error => {
            count(failed, `${name}: ${error.message.slice(0, 80)}`);
          },
        ),
      );
    }
  };
  const listen = async index => {
    while (!isOver) {
      const abort = new AbortController();
      const end = setTimeout(() => abort.abort(), EVENTS_MS * (0.5 + Math.random()));
      try {
        const user = users[index % users.length];
        const answer = await user.client.fetch('/user/events', { signal: abort.signal });
        for await (const _ of answer.body ?? []) if (isOver) abort.abort();
        count(done, 'streams');
      } catch {
        // Closed by this client.
        count(done, 'streams');
      }
      clearTimeout(end);
      await new Promise(resolve => setTimeout(resolve, 200));
    }
  };
  const loops = [
    ...Object.entries(RATES).map(([name, rate]) => repeat(name, rate * pace)),
    ...Array.from({ length: listeners }, (_, index) => listen(index)),
  ];
  return {
    done,
    failed,
    stop: async () => {
      isOver = true;
      await Promise.allSettled([...running]);
      return loops.length;
    },
  };
}

function unlessGone(error) {
  if (error.status !== 404) throw error;
}
