// Messages of many kinds are exported, read back by the importers, sealed like an import, and
// exported again: every byte of every message, its time, flags and tags are unchanged
// (docs/spec-map.md 10.80).
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { decodeBase64 } from '@keyfold/crypto/message';
import type { MailItem } from '@keyfold/import/items';
import { expect, test } from 'vitest';
import { readExport, writeExport } from './export/export-archive.ts';
import type { ExportFiles, ExportPlan, PieceHead } from './export/export-files.ts';
import { openFiles } from './import/import-files.ts';
import { placeMail } from './import/import-places.ts';
import { readMail, sealImported } from './import/import-seal.ts';
import { openMailSource } from './mail/mail-source.ts';
import type { ExportedState } from './reading/exported-mail.ts';

type Mail = { readonly raw: Uint8Array<ArrayBuffer>; readonly state: ExportedState };

const sha256 = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex');
const latin1 = (text: string) => new Uint8Array(Buffer.from(text, 'latin1'));

/** The working copy, in memory. */
function filesInMemory(plan: ExportPlan): ExportFiles {
  const kept: { head: PieceHead; parts: Uint8Array<ArrayBuffer>[] }[] = [];
  const at = (number: number) => kept[number] as (typeof kept)[number];
  return {
    plan,
    count: () => kept.length,
    add: async (rest, data) => {
      const parts = Array.from(data);
      kept.push({ head: { number: kept.length, sizes: parts.map(({ length }) => length), ...rest }, parts });
    },
    head: async number => at(number).head,
    bytes: async function* (number) {
      yield* at(number).parts;
    },
  };
}

/** Returns the archive of these messages. */
async function exported(mails: readonly Mail[], format: 'mbox' | 'eml'): Promise<File> {
  const ids = mails.map((_, at) => String(at));
  const files = filesInMemory({ format, scope: null, ids, beganAt: '2026-11-22T20:00:00.000Z' });
  const writer = await writeExport(files);
  for (const [at, { raw, state }] of mails.entries()) {
    writer.add(String(at), state, raw, sha256(raw));
    await writer.step(at + 1);
  }
  await writer.flush();
  const parts: BlobPart[] = [];
  for await (const part of readExport(files, { cards: '', contacts: 0, tags: [] })) parts.push(part);
  return new File(parts, 'keyfold.zip');
}

/**
 * Returns the messages that the importers find, sealed like an import and opened like an export.
 */
async function brought(file: File): Promise<Mail[]> {
  const opened = await openFiles([file]);
  const mails: Mail[] = [];
  for await (const { item } of opened.items({}, null)) {
    expect(item.kind, JSON.stringify(item).slice(0, 300)).toBe('mail');
    mails.push(await throughSeal(item as MailItem));
  }
  return mails;
}

async function throughSeal(item: MailItem): Promise<Mail> {
  let key = new Uint8Array();
  const containers: Uint8Array[] = [];
  const door = {
    wrapKey: async (messageKey: Uint8Array) => {
      key = messageKey.slice();
      return { encrypted_key: '', salt: '', key_used: '' };
    },
    nameMessage: async (digest: Uint8Array) => `<${Buffer.from(digest).toString('hex')}@import.invalid>`,
    upload: async (container: Uint8Array) => `id-${containers.push(container)}`,
  };
  const sealed = await sealImported(await readMail(item, door), door);
  const { flags, tags } = placeMail(item, 'inbox');
  const state = { ...flags, alert: false, received_at: sealed.received_at, tags: [...tags] };
  const mail = { ...state, headers: sealed.headers, scheduled: false };
  const raw = await openMailSource({ mail, body: decodeBase64(sealed.body), key }, async id => {
    const container = containers[Number(id.slice(3)) - 1];
    if (container === undefined) throw new Error('no such container');
    return container;
  });
  return { raw: raw as Uint8Array<ArrayBuffer>, state };
}

const head = (number: number, more = ''): string =>
  `From: Gus <gus@outside.test>\r\nTo: a@keyfold.test\r\nSubject: Letter ${number}\r\nMessage-ID: <${number}@outside.test>\r\n${more}`;
const lines = (bytes: Uint8Array, length: number, eol: string): string =>
  (
    Buffer.from(bytes)
      .toString('base64')
      .match(new RegExp(`.{1,${length}}`, 'g')) ?? []
  ).join(eol);
const big = (number: number): Uint8Array =>
  Uint8Array.from({ length: 40_000 + number }, (_, at) => (at * 31 + number) & 0xff);
const multipart = 'MIME-Version: 1.0\r\nContent-Type: multipart/mixed; boundary=b\r\n\r\n';
const filePart = (number: number, length = 76, eol = '\r\n'): string =>
  `--b\r\nContent-Type: application/pdf; name=a.pdf\r\nContent-Disposition: attachment; filename=a.pdf\r\n` +
  `Content-Transfer-Encoding: base64\r\n\r\n${lines(big(number), length, eol)}\r\n`;
const invitation =
  'BEGIN:VCALENDAR\r\nMETHOD:REQUEST\r\nBEGIN:VEVENT\r\nUID:1\r\nDTSTART:20261122T100000Z\r\nSUMMARY:Talk\r\nEND:VEVENT\r\nEND:VCALENDAR\r\n';

/** One message of each kind per number, as latin1 text. */
const kinds: readonly ((number: number) => string)[] = [
  number => `${head(number)}\r\nPlain words\r\n`,
  number => `${head(number)}\r\nNo end of a line`,
  number => `${head(number)}\r\nMany ends\r\n\r\n\r\n\r\n`,
  number => `${head(number)}\r\nlone\rreturns\nand lone\n\nfeeds\r\n`,
  number => `${head(number)}\r\nends with a lone return\r`,
  number => `${head(number).replaceAll('\r\n', '\n')}\nLines end in the way of Unix\nFrom one\n`,
  number =>
    `${head(number)}\r\nFrom here to there\r\n>From there\r\n>>From afar\r\n\r\nFrom gus@x Tue Mar  5 10:20:30 2019\r\nSubject: inside\r\n\r\nx`,
  number =>
    `From gus@x Tue Mar  5 10:20:30 2019\r\n>From more\r\n${head(number)}\r\nA separator was left in the header\r\n`,
  number =>
    `${head(number, 'Content-Length: 5\r\nStatus: O\r\nX-Mozilla-Status: 0008\r\nX-Keywords: none\r\n')}\r\nFields of programs\r\n`,
  number =>
    `X-Mozilla-Status: 0008\r\nX-Keyfold-Export: 1; size=3; sha256=00\r\n${head(number)}\r\nFields of our own\r\n`,
  number =>
    `${head(number, 'Content-Type: text/plain; charset=iso-8859-1\r\nContent-Transfer-Encoding: 8bit\r\n')}\r\nGr\xfc\xdfe \xff\xfe\x00 caf\xe9\r\n`,
  number => `${head(number, 'Subject: Gr\xc3\xbc\xc3\x9fe in UTF-8\r\n')}\r\n\xf0\x9f\x98\x80\r\n`,
  number => `${head(number)}\r\n${'long '.repeat(3_000)}\r\n`,
  number => `${head(number, 'X-Folded: one\r\n two\r\n\tthree\r\n')}\r\n.\r\n..\r\n`,
  number => head(number),
  number => `${head(number)}\r\n`,
  number => `${head(number, multipart)}--b\r\n\r\nWords\r\n${filePart(number)}--b--\r\n`,
  number =>
    `${head(number, multipart)}${filePart(number, 60, '\n')}${filePart(number + 1, 72)}--b--\r\nafter the end`,
  number =>
    `${head(number, multipart)}--b\r\nContent-Type: application/octet-stream\r\nContent-Transfer-Encoding: quoted-printable\r\n\r\n${'=00=FF quoted '.repeat(3_000)}\r\n--b--`,
  number =>
    `${head(number, multipart)}--b\r\nContent-Type: message/rfc822\r\n\r\n${head(number + 1, multipart.replaceAll('=b', '=c'))}${filePart(number).replaceAll('--b', '--c')}--c--\r\n\r\n--b--\r\n`,
  number =>
    `${head(number, 'MIME-Version: 1.0\r\nContent-Type: multipart/alternative; boundary=b\r\n\r\n')}--b\r\n\r\nTalk\r\n--b\r\nContent-Type: text/calendar; method=REQUEST\r\n\r\n${invitation}--b--\r\n`,
  number =>
    `${head(number, multipart)}--b\r\nContent-Type: message/external-body; access-type="x-keyfold"; id="x"; size=3; key="${'A'.repeat(43)}="\r\n\r\nContent-Type: text/plain\r\n\r\n--b--\r\n`,
  number =>
    `${head(number)}\r\nX-Keyfold-Inert-Content-Type: words\r\nX-Keyfold-Inert-X-Keyfold-Inert-: more\r\n`,
];

const tagNames = ['Work', 'Archive', 'Trash', 'inbox', 'Ü, "x" 😀', 'a/b', '100%'];
function stateOf(number: number): ExportedState {
  const has = (bit: number) => ((number * 37) >> bit) % 2 === 1;
  return {
    alert: false,
    read: has(0),
    starred: has(1),
    archived: has(2),
    deleted: has(3),
    flagged: has(4),
    draft: has(5),
    sent: !has(5) && has(6),
    received_at: new Date(Date.UTC(2019, 2, 5, 10, number % 60, number % 60, number % 1000)).toISOString(),
    tags: tagNames.filter((_, at) => (number + at) % 4 === 0),
  };
}
const mailbox = (): Mail[] =>
  Array.from({ length: 10 }, (_, turn) =>
    kinds.map((kind, at) => {
      const number = turn * kinds.length + at;
      return { raw: latin1(kind(number)), state: stateOf(number) };
    }),
  ).flat();

const corpora = path.resolve(import.meta.dirname, '../../../../../shared/data/mime');
/** Real messages, where available. */
const realMails = (): Mail[] =>
  (existsSync(corpora) ? readdirSync(corpora, { recursive: true, withFileTypes: true }) : [])
    .filter(one => one.isFile() && /\.(?:eml|msg|txt)$/.test(one.name))
    .map(({ parentPath, name }) => new Uint8Array(readFileSync(path.join(parentPath, name))))
    .filter(raw => raw.length > 0)
    .map((raw, number) => ({ raw, state: stateOf(number) }));

const sorted = (mails: readonly Mail[]) =>
  mails
    .map(({ raw, state: { alert: _, ...state } }) => JSON.stringify({ hash: sha256(raw), ...state }))
    .map(text => JSON.parse(text))
    .map(({ tags, ...rest }) =>
      JSON.stringify({ ...rest, tags: tags.toSorted() }, Object.keys({ ...rest, tags }).sort()),
    )
    .sort();

for (const format of ['mbox', 'eml'] as const)
  test(`a mailbox exported as ${format} and imported again is unchanged, and so is its next export`, async () => {
    const mails = [...mailbox(), ...realMails()];
    const once = await brought(await exported(mails, format));
    for (const [at, { raw }] of mails.entries())
      if (!Buffer.from(raw).equals(Buffer.from(once[at]?.raw ?? [])))
        expect(Buffer.from(once[at]?.raw ?? []).toString('latin1'), `mail ${at}`).toBe(
          Buffer.from(raw).toString('latin1'),
        );
    expect(sorted(once)).toEqual(sorted(mails));
    const again = await exported(once, format);
    const archive = await exported(mails, format);
    expect(sha256(new Uint8Array(await again.arrayBuffer()))).toBe(
      sha256(new Uint8Array(await archive.arrayBuffer())),
    );
  });
