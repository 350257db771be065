/**
 * 50 rows as `/user/query?view=summary` returns them, sealed like inbound mail (a fresh X25519 pair
 * each, so nothing can be cached between rows) and opened by the key worker's own functions.
 */
import { encodeBase64 } from '@keyfold/crypto/message';
import { createIdentity, sealLocal, serializeVault } from '@keyfold/crypto/vault';
import { importVault } from '../../apps/web/src/crypto/keys/vault-keeper.ts';
import { openRows } from '../../apps/web/src/crypto/mail/row-opener.ts';
import { sealMail } from '../shared/sealed-mail.mjs';

const email = 'bob@x.test';

const summaryOf = (number, date) => ({
  subject: `Lisbon offsite ${number}: rooms, dinner and the Thursday walk`,
  from: { name: 'Ines Almeida', address: `ines${number}@harborlight.example` },
  to: [{ name: 'Bob Brandt', address: email }],
  cc: [],
  date,
  snippet:
    'Everything is booked. I put the floor plan and the invoice below, can you check the room names before noon? ' +
    'The hotel wants them today, and the vans leave at eight from the north side of the station.',
  attachments: 2,
  invite: false,
});

const headers = [
  'From: Ines Almeida <ines@harborlight.example>',
  'To: Bob Brandt <bob@x.test>',
  'Subject: [...]',
  'Date: Fri, 20 Nov 2026 10:00:00 +0000',
  'Message-ID: <0123456789abcdef@harborlight.example>',
  '',
].join('\r\n');

async function sealRow(identity, number, payload) {
  const received_at = new Date(Date.UTC(2026, 10, 20, 10, number)).toISOString();
  const facts = {
    headers,
    from: `ines${number}@harborlight.example`,
    message_id: `<${number}@harborlight.example>`,
    received_at,
  };
  const { body, ...row } = await sealMail(
    { email, identity },
    payload,
    facts,
    summaryOf(number, received_at),
  );
  return row;
}

/**
 * Returns the rows, the identity that opens them, and `unlock`, after which every row counts as
 * new.
 */
export async function prepareOurs(payloads) {
  const identity = await createIdentity();
  const clientKey = crypto.getRandomValues(new Uint8Array(32));
  const vault = new TextEncoder().encode(JSON.stringify(serializeVault(email, identity)));
  const sealedVault = await sealLocal(clientKey, 'vault', vault);
  /** @type {import('@keyfold/contract').Email[]} */
  const mails = [];
  for (const [number, payload] of payloads.entries()) mails.push(await sealRow(identity, number, payload));
  const open = async () => {
    const rows = await openRows(mails);
    const failed = rows.find(row => row.failed !== null || row.kind !== 'mail');
    if (failed !== undefined || rows.length !== mails.length)
      throw new Error(`could not decrypt a row: ${failed?.failed}`);
    return rows;
  };
  return { mails, identity, open, unlock: () => importVault(encodeBase64(clientKey), sealedVault) };
}
