/**
 * The key worker's part: the sealed message opened and parsed by its own functions, and the same
 * message by the peer.
 */
import { encodeBase64 } from '@keyfold/crypto/message';
import { createIdentity, sealLocal, serializeVault } from '@keyfold/crypto/vault';
import { newsletterHtml } from '../../apps/web/e2e/support/newsletters.ts';
import { importVault } from '../../apps/web/src/crypto/keys/vault-keeper.ts';
import { openMail } from '../../apps/web/src/crypto/mail/mail-opener.ts';
import { sealMail } from '../shared/sealed-mail.mjs';

const HTML_BYTES = 100 * 1024;
const email = 'bob@x.test';

const base64Lines = text =>
  encodeBase64(new TextEncoder().encode(text))
    .match(/.{1,76}/g)
    ?.join('\r\n') ?? '';

const head = [
  'From: News <news@news.example>',
  `To: Bob Brandt <${email}>`,
  'Date: Fri, 20 Nov 2026 10:00:00 +0000',
  'Message-ID: <1@news.example>',
];
const content = [
  'Subject: Letter 1',
  'MIME-Version: 1.0',
  'Content-Type: text/html; charset=utf-8',
  'Content-Transfer-Encoding: base64',
  '',
  base64Lines(newsletterHtml(1, HTML_BYTES)),
  '',
];
const payload = new TextEncoder().encode([...head, ...content].join('\r\n'));

async function prepareOurs() {
  const identity = await createIdentity();
  const clientKey = crypto.getRandomValues(new Uint8Array(32));
  const vault = new TextEncoder().encode(JSON.stringify(serializeVault(email, identity)));
  const sealedVault = await sealLocal(clientKey, 'vault', vault);
  const mail = await sealMail({ email, identity }, payload, {
    headers: [...head, 'Subject: [...]', 'Content-Type: message/rfc822; hp="cipher"', '', ''].join('\r\n'),
    from: 'news@news.example',
    message_id: '<1@news.example>',
    received_at: '2026-11-20T10:00:00.000Z',
  });
  return {
    // A freshly unlocked vault has no message keys cached, so every opening is a first one.
    before: () => importVault(encodeBase64(clientKey), sealedVault),
    open: async () => {
      const { parsed, failed } = await openMail(mail);
      if (failed !== null) throw new Error(failed);
      return parsed.html;
    },
  };
}

async function preparePeer() {
  // Served as published: the bundler must not touch the file.
  const load = name => import(/* @vite-ignore */ `${location.origin}/peers/${name}`);
  const openpgp = await load('openpgp.mjs');
  const { default: PostalMime } = await load('postal-mime/postal-mime.js');
  const makeKey = async address => {
    const options = {
      type: 'ecc',
      curve: 'curve25519Legacy',
      userIDs: [{ email: address }],
      format: 'object',
    };
    return (await openpgp.generateKey(options)).privateKey;
  };
  const [sender, reader] = [await makeKey('alice@x.test'), await makeKey(email)];
  const binaryMessage = await openpgp.encrypt({
    message: await openpgp.createMessage({ binary: payload }),
    encryptionKeys: reader.toPublic(),
    signingKeys: sender,
    format: 'binary',
  });
  const senderPublic = sender.toPublic();
  return {
    before: async () => undefined,
    open: async () => {
      const { data, signatures } = await openpgp.decrypt({
        message: await openpgp.readMessage({ binaryMessage }),
        decryptionKeys: reader,
        verificationKeys: senderPublic,
        format: 'binary',
      });
      await signatures[0].verified;
      return (await PostalMime.parse(data)).html;
    },
  };
}

let ways = {};

async function answer({ step, way }) {
  if (step === 'prepare') {
    ways = { ours: await prepareOurs(), peer: await preparePeer() };
    return {};
  }
  const { before, open } = ways[way];
  if (step === 'before') {
    await before();
    return {};
  }
  const start = performance.now();
  const html = await open();
  return { html, tookMs: performance.now() - start };
}

addEventListener('message', ({ data }) => {
  answer(data).then(postMessage, error => postMessage({ failure: String(error?.stack ?? error) }));
});
