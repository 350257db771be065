// Report files as third parties send them, read by the parser thread.
import { gzipSync } from 'node:zlib';
import { Uint8ArrayReader, Uint8ArrayWriter, ZipWriter } from '@zip.js/zip.js';
import { expect, test } from 'vitest';
import { readReport as readWithin } from './reader.ts';

const readReport = (raw: Uint8Array, timeoutMs?: number) =>
  readWithin(raw, new AbortController().signal, timeoutMs);

const XML =
  '<feedback><report_metadata><org_name>big.test</org_name><report_id>1</report_id><date_range><begin>1795132800</begin></date_range></report_metadata><policy_published><domain>keyfold.test</domain></policy_published><record><row><count>2</count><policy_evaluated><dkim>pass</dkim></policy_evaluated></row></record></feedback>';
const MIB = 1024 * 1024;
const READ = {
  aggregates: [{ kind: 'dmarc', domain: 'keyfold.test', good: 2, bad: 0 }],
  complaint: null,
  isBroken: false,
};
const NOTHING = { aggregates: [], complaint: null };

const mailOf = (file: Uint8Array, type: string): Buffer =>
  Buffer.from(
    `From: x@big.test\r\nSubject: Report\r\nMIME-Version: 1.0\r\nContent-Type: multipart/mixed; boundary=b\r\n\r\n--b\r\nContent-Type: text/plain\r\n\r\n<feedback>not this</feedback>\r\n--b\r\nContent-Type: ${type}\r\nContent-Disposition: attachment; filename=r\r\nContent-Transfer-Encoding: base64\r\n\r\n${Buffer.from(file).toString('base64').replace(/.{76}/g, '$&\r\n')}\r\n--b--\r\n`,
  );
async function zipOf(...files: readonly Uint8Array[]): Promise<Uint8Array> {
  const writer = new ZipWriter(new Uint8ArrayWriter());
  for (const [index, file] of files.entries()) await writer.add(`${index}.xml`, new Uint8ArrayReader(file));
  return writer.close();
}

test('a report is read from gzip, zip, plain XML, and a message that is itself the file', async () => {
  const xml = Buffer.from(XML);
  expect(await readReport(mailOf(gzipSync(xml), 'application/gzip'))).toMatchObject(READ);
  expect(await readReport(mailOf(await zipOf(xml), 'application/zip'))).toMatchObject(READ);
  expect(await readReport(mailOf(xml, 'text/xml'))).toMatchObject(READ);
  const alone = `From: x@big.test\r\nContent-Type: application/gzip\r\nContent-Transfer-Encoding: base64\r\n\r\n${gzipSync(xml).toString('base64')}\r\n`;
  expect(await readReport(Buffer.from(alone))).toMatchObject(READ);
});

test('a message without a report yields nothing', async () => {
  expect(await readReport(Buffer.from('From: al@sender.test\r\n\r\nHello\r\n'))).toEqual({
    ...NOTHING,
    isBroken: false,
  });
});

test('archive bombs, damaged archives and archives with false sizes are skipped', async () => {
  const bomb = Buffer.alloc(64 * MIB, ' ');
  const inside = await zipOf(Buffer.from(XML));
  const damaged = Buffer.from(inside).fill(0xff, 45, 70);
  const twice = await zipOf(gzipSync(Buffer.from(XML)));
  const liar = Buffer.from(await zipOf(bomb));
  // Understates the size that the archive declares, in both places.
  for (const at of [liar.indexOf('PK\x01\x02') + 24]) liar.writeUInt32LE(10, at);
  for (const file of [gzipSync(bomb), gzipSync(gzipSync(bomb)), await zipOf(bomb), damaged, twice, liar])
    expect(await readReport(mailOf(file, 'application/gzip'))).toEqual({ ...NOTHING, isBroken: true });
  expect(await readReport(mailOf(gzipSync(XML).subarray(0, 60), 'application/gzip'))).toMatchObject({
    isBroken: true,
  });
}, 60_000);

test('a report that takes too long to read is abandoned', async () => {
  expect(await readReport(mailOf(gzipSync(XML), 'application/gzip'), 1)).toEqual({
    ...NOTHING,
    isBroken: true,
  });
});

test('reading a report stops when the service stops', async () => {
  const stopping = new AbortController();
  const reading = readWithin(
    mailOf(gzipSync(Buffer.alloc(15 * MIB, '<a>')), 'application/gzip'),
    stopping.signal,
  );
  stopping.abort();
  expect(await reading).toEqual({ ...NOTHING, isBroken: true });
});

test('a complaint is identified by the feedback ID of the original message', async () => {
  const complaint = (type: string, original: string) =>
    Buffer.from(
      `From: fbl@big.test\r\nMIME-Version: 1.0\r\nContent-Type: multipart/report; report-type=feedback-report; boundary=b\r\n\r\n--b\r\nContent-Type: text/plain\r\n\r\nA complaint\r\n--b\r\nContent-Type: message/feedback-report\r\n\r\nFeedback-Type: ${type}\r\nVersion: 1\r\n\r\n--b\r\nContent-Type: ${original}\r\n\r\nFrom: ann@keyfold.test\r\nCFBL-Feedback-ID: mark_of-that-very-mail\r\nSubject: buy\r\n\r\nnow\r\n--b--\r\n`,
    );
  const found = { aggregates: [], complaint: 'mark_of-that-very-mail', isBroken: false };
  expect(await readReport(complaint('abuse', 'message/rfc822'))).toEqual(found);
  expect(await readReport(complaint('Fraud', 'text/rfc822-headers'))).toEqual(found);
  expect(await readReport(complaint('not-spam', 'message/rfc822'))).toMatchObject({ complaint: null });
  expect(await readReport(complaint('abuse', 'text/plain'))).toMatchObject({ complaint: null });
});
