/**
 * The peer of the export: OpenPGP.js opens messages held in memory, verifies their signatures,
 * hashes each and appends it to an mbox with a line before it. It fetches nothing, seals no working
 * copy and writes no fields: its best case.
 */
import { openMessages, prepare } from '../open-list/openpgp-peer.mjs';

const AT_ONCE = 50;
const encoder = new TextEncoder();
const separator = encoder.encode('From MAILER-DAEMON Sun Nov  8 07:06:05 2026\r\n');
const quoted = text => text.replace(/^(?=>*From )/gm, '>');

globalThis.measure = async ({ messages, rounds }) => {
  const openpgp = await import(/* @vite-ignore */ `${location.origin}/peers/openpgp.mjs`);
  const classic = { type: 'ecc', curve: 'curve25519Legacy' };
  const peer = await prepare(
    openpgp,
    classic,
    messages.map(message => encoder.encode(message)),
  );
  const rates = [];
  for (let round = -1; round < rounds; round++) {
    const startedAt = performance.now();
    const parts = [];
    for (const mail of await openMessages(peer, AT_ONCE)) {
      await crypto.subtle.digest('SHA-256', mail);
      parts.push(separator, encoder.encode(quoted(new TextDecoder().decode(mail))), encoder.encode('\r\n'));
    }
    const mbox = new Blob(parts);
    const seconds = (performance.now() - startedAt) / 1000;
    if (mbox.size === 0) throw new Error('nothing was opened');
    if (round >= 0) rates.push(messages.length / seconds);
  }
  return rates;
};
