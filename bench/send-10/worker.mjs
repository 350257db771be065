/**
 * Seals and encrypts the same message in turn, for several rounds, and posts the times of all
 * rounds.
 */
import { encodeBase64 } from '@keyfold/crypto/message';
import { createIdentity, sealLocal, serializeVault } from '@keyfold/crypto/vault';
import { composeMessage } from '@keyfold/mail/mime/compose';
import { importVault } from '../../apps/web/src/crypto/keys/vault-keeper.ts';
import { closeDraft, openNewDraft, sealOutgoing } from '../../apps/web/src/crypto/mail/mail-sealer.ts';

const RECIPIENTS = 10;
const TEXT_BYTES = 100 * 1024;
const WARM_UP_ROUNDS = 3;

const sender = { name: 'Alice Almeida', address: 'alice@x.test' };
const people = Array.from({ length: RECIPIENTS }, (_, at) => ({
  name: `Reader ${at}`,
  address: `reader${at}@x.test`,
}));
const line = 'The harbour was quiet when the morning ferry came in and nobody had opened a shop yet.\n';
const mail = {
  from: sender,
  to: people,
  cc: [],
  bcc: [],
  subject: 'Minutes of the harbour',
  text: line.repeat(Math.ceil(TEXT_BYTES / line.length)).slice(0, TEXT_BYTES),
  references: [],
  files: [],
};

async function prepareOurs() {
  const identity = await createIdentity();
  const clientKey = crypto.getRandomValues(new Uint8Array(32));
  const vault = new TextEncoder().encode(JSON.stringify(serializeVault(sender.address, identity)));
  await importVault(encodeBase64(clientKey), await sealLocal(clientKey, 'vault', vault));
  /** @type {import('../../apps/web/src/crypto/mail/outgoing-message.ts').MessageRecipient[]} */
  const recipients = [];
  for (const { address } of people) {
    const { mlkem_public, dh_public, key_id } = await createIdentity();
    const keys = {
      mlkem_public: encodeBase64(mlkem_public),
      dh_public: encodeBase64(dh_public),
      fingerprint: key_id,
    };
    recipients.push({ email: address, kind: 'to', keys });
  }
  // Each message is a new one: every draft has a different key, and so has every wrap of it.
  return async () => {
    await openNewDraft('letter');
    const { to } = await sealOutgoing('letter', mail, recipients);
    closeDraft('letter');
    if (to.filter(one => one.ciphertext !== undefined).length !== RECIPIENTS)
      throw new Error('not sealed for all recipients');
  };
}

async function preparePeer() {
  // Served as published: the bundler must not touch the file.
  const openpgp = await import(/* @vite-ignore */ `${location.origin}/peers/openpgp.mjs`);
  const makeKey = async email => {
    const options = { type: 'ecc', curve: 'curve25519Legacy', userIDs: [{ email }], format: 'object' };
    return (await openpgp.generateKey(options)).privateKey;
  };
  const signingKeys = await makeKey(sender.address);
  const encryptionKeys = [signingKeys.toPublic()];
  for (const { address } of people) encryptionKeys.push((await makeKey(address)).toPublic());
  return async () => {
    const binary = composeMessage({ ...mail, date: new Date(), messageId: '<1@x.test>' });
    const message = await openpgp.createMessage({ binary });
    await openpgp.encrypt({ message, encryptionKeys, signingKeys, format: 'binary' });
  };
}

async function measure(rounds) {
  const series = { ours: await prepareOurs(), peer: await preparePeer() };
  const times = { ours: [], peer: [] };
  for (let round = -WARM_UP_ROUNDS; round < rounds; round++)
    for (const [name, run] of Object.entries(series)) {
      const start = performance.now();
      await run();
      if (round >= 0) times[name].push(performance.now() - start);
    }
  return times;
}

addEventListener('message', ({ data: rounds }) => {
  measure(rounds).then(
    times => postMessage({ times }),
    error => postMessage({ failure: String(error?.stack ?? error) }),
  );
});
