import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { asMbox, type ExportedState, exportFields } from '../reading/exported-mail.ts';
import { readExport, writeExport } from './export-archive.ts';
import type { ExportFiles, ExportPlan, PieceHead } from './export-files.ts';

const encoder = new TextEncoder();
const text = (...parts: Uint8Array[]) => Buffer.concat(parts).toString('latin1');
const sha256 = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex');

const state: ExportedState = {
  alert: false,
  archived: false,
  deleted: false,
  draft: false,
  flagged: false,
  read: true,
  received_at: '2026-11-08T07:06:05.000Z',
  sent: false,
  starred: true,
  tags: ['Work', 'Ü, "x" 😀'],
};

type Kept = { head: PieceHead; parts: Uint8Array<ArrayBuffer>[] };

/** Creates the working copy in memory. */
function memoryFiles(plan: ExportPlan, kept: Kept[] = []): ExportFiles {
  const at = (number: number) => {
    const piece = kept[number];
    if (piece === undefined) throw new Error('Failed to open stored data');
    return piece;
  };
  return {
    plan,
    count: () => kept.length,
    add: async (rest, data) => {
      const parts = Array.from(data, part => part.slice());
      const head = { number: kept.length, sizes: parts.map(({ length }) => length), ...rest };
      kept.push({ head: structuredClone(head), parts });
    },
    head: async number => at(number).head,
    bytes: async function* (number) {
      yield* at(number).parts;
    },
  };
}

const mails = {
  a: encoder.encode('Subject: One\r\nFrom: a@a.test\r\n\r\nFrom here on\r\n>From there\r\nWords\r\n'),
  b: encoder.encode(
    'Subject: =?UTF-8?Q?Gr=C3=BC=C3=9Fe?= / <now>\nFrom: b@b.test\n\nFrom: not a separator\nno end',
  ),
  c: Uint8Array.from({ length: 9_000_000 }, (_, at) => (at % 80 === 79 ? 10 : 65 + (at % 20))),
};
const extras = {
  cards: 'BEGIN:VCARD\r\nEND:VCARD\r\n',
  contacts: 1,
  tags: [{ name: 'Work', color: 'blue' }],
};

const script = `
import sys, zipfile, json, hashlib, mailbox, tempfile, os
z = zipfile.ZipFile(sys.argv[1])
bad = z.testzip()
out = {'bad': bad, 'names': z.namelist(), 'manifest': json.loads(z.read('manifest.json')), 'mails': []}
folder = tempfile.mkdtemp()
if 'mail.mbox' in z.namelist():
    z.extract('mail.mbox', folder)
    box = mailbox.mbox(os.path.join(folder, 'mail.mbox'))
    for key in box.keys():
        raw = b''.join(line[1:] if line.lstrip(b'>').startswith(b'From ') and line.startswith(b'>') else line for line in box.get_bytes(key).splitlines(True))
        message = box[key]
        size = int(message['X-Keyfold-Export'].split('size=')[1].split(';')[0])
        end = raw.find(b'\\nSubject: ') + 1 if b'\\nSubject: ' in raw else raw.find(b'ABCDE')
        out['mails'].append([message['Subject'], message['X-Keyfold-Tags'], hashlib.sha256(raw[end:end + size]).hexdigest()])
else:
    out['mails'] = [hashlib.sha256(z.read(n)).hexdigest() for n in z.namelist() if n.endswith('.eml')]
print(json.dumps(out))
`;

describe('the export archive, read by another program', () => {
  let folder = '';
  beforeAll(() => {
    folder = mkdtempSync(path.join(tmpdir(), 'export-'));
  });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  const look = async (files: ExportFiles) => {
    const parts: Uint8Array[] = [];
    for await (const part of readExport(files, extras)) parts.push(part);
    const file = path.join(folder, 'x.zip');
    writeFileSync(file, Buffer.concat(parts));
    return JSON.parse(execFileSync('python3', ['-c', script, file], { encoding: 'utf8' }));
  };
  const fill = async (files: ExportFiles, ids: readonly (keyof typeof mails)[]) => {
    const writer = await writeExport(files);
    let { done } = writer.place();
    for (const id of ids) {
      writer.add(id, state, mails[id], sha256(mails[id]));
      done += 1;
      await writer.step(done);
    }
    return writer;
  };
  const planOf = (format: 'mbox' | 'eml'): ExportPlan => ({
    format,
    scope: { kind: 'tag', text: 'Work' },
    ids: ['a', 'b', 'gone', 'c'],
    beganAt: '2026-11-22T20:00:00.000Z',
  });

  test('contains all mail in one MBOX file with correct hashes', async () => {
    const files = memoryFiles(planOf('mbox'));
    const writer = await fill(files, ['a', 'b']);
    writer.fail('gone', 'gone');
    await writer.step(3);
    writer.add('c', state, mails.c, sha256(mails.c));
    await writer.step(4);
    await writer.flush();
    const found = await look(files);
    expect(found.bad).toBeNull();
    expect(found.names).toEqual(['mail.mbox', 'contacts.vcf', 'manifest.json']);
    expect(found.mails.map(([, , hash]: string[]) => hash)).toEqual([mails.a, mails.b, mails.c].map(sha256));
    expect(found.mails[0][1]).toBe('Work %C3%9C%2C%20%22x%22%20%F0%9F%98%80');
    const { manifest } = found;
    expect(manifest).toMatchObject({
      keyfold_export: 1,
      format: 'mbox',
      scope: { kind: 'tag', text: 'Work' },
      counts: { mails: 3, failed: 1, contacts: 1 },
      tags: [{ name: 'Work', color: 'blue' }],
      failed: [{ id: 'gone', why: 'gone' }],
    });
    expect(manifest.mails.map(({ sha256 }: { sha256: string }) => sha256)).toEqual(
      [mails.a, mails.b, mails.c].map(sha256),
    );
  });

  test('contains one EML file per message, named for any file system', async () => {
    const files = memoryFiles(planOf('eml'));
    await (await fill(files, ['a', 'b'])).flush();
    const found = await look(files);
    expect(found.bad).toBeNull();
    expect(found.names).toEqual([
      'mail/000001 2026-11-08 One.eml',
      'mail/000002 2026-11-08 Grüße _ _now_.eml',
      'contacts.vcf',
      'manifest.json',
    ]);
    expect(found.manifest.mails[1]).toMatchObject({
      file: 'mail/000002 2026-11-08 Grüße _ _now_.eml',
      size: mails.b.length,
      sha256: sha256(mails.b),
    });
  });

  test('is the same when an interrupted export resumes after the last complete piece', async () => {
    for (const format of ['mbox', 'eml'] as const) {
      const whole = memoryFiles(planOf(format));
      await (await fill(whole, ['a', 'c', 'b'])).flush();
      const kept: Kept[] = [];
      // The large message closes the piece; what came after it was never written.
      await fill(memoryFiles(planOf(format), kept), ['a', 'c', 'b']);
      expect(kept).toHaveLength(1);
      const again = memoryFiles(planOf(format), kept);
      const writer = await writeExport(again);
      expect(writer.place()).toMatchObject({ done: 2, mails: 2 });
      writer.add('b', state, mails.b, sha256(mails.b));
      await writer.step(3);
      await writer.flush();
      expect(await look(again)).toEqual(await look(whole));
    }
  });

  test('contains nothing of an unfinished batch', async () => {
    const files = memoryFiles(planOf('eml'));
    const writer = await fill(files, ['a']);
    writer.add('b', state, mails.b, sha256(mails.b));
    writer.fail('gone', 'gone');
    await writer.flush();
    expect(writer.place()).toMatchObject({ done: 1, mails: 1, failed: 0 });
    const found = await look(files);
    expect(found.bad).toBeNull();
    expect(found.manifest).toMatchObject({ mails: [{ id: 'a' }], failed: [] });
  });

  test('is valid even for an empty export', async () => {
    const found = await look(memoryFiles({ ...planOf('mbox'), ids: [] }));
    expect(found.manifest.mails).toEqual([]);
    expect(found.bad).toBeNull();
  });
});

test('export fields use the line endings of the message and state its flags', () => {
  const fields = exportFields({ ...state, read: false, draft: true }, mails.b, 'ff');
  expect(fields).not.toContain('\r');
  expect(fields).toContain('X-Keyfold-Export: 1; size=');
  expect(fields).toContain('X-Keyfold-Flags: starred draft\n');
  expect(fields).toContain('Status: O\nX-Status: FT\nX-Keywords: Work =?UTF-8?');
  expect(fields.endsWith('\nX-Mozilla-Status: 0004\n')).toBe(true);
  expect(exportFields({ ...state, tags: [] }, mails.a, 'ff')).toContain('X-Gmail-Labels: Inbox,Starred\r\n');
});

test('writes every status field even when empty, so that a sender’s own fields never come first', () => {
  const plain = exportFields({ ...state, starred: false, tags: [] }, mails.a, 'ff');
  expect(plain).toContain('\r\nStatus: RO\r\nX-Status: \r\nX-Keywords: \r\nX-Mozilla-Status: 0001\r\n');
});

test('MBOX quoting adds one ">" to lines that look like separators, and to no others', () => {
  expect(text(...asMbox('', mails.a, state.received_at))).toBe(
    'From MAILER-DAEMON Sun Nov  8 07:06:05 2026\r\nSubject: One\r\nFrom: a@a.test\r\n\r\n' +
      '>From here on\r\n>>From there\r\nWords\r\n\r\n',
  );
  expect(text(...asMbox('', mails.b, state.received_at)).endsWith('no end\n\n')).toBe(true);
});

test('a message of nothing but separator-like lines is not split into a part per line', () => {
  const lines = 700_000;
  const parts = asMbox('', encoder.encode('From \n'.repeat(lines)), state.received_at);
  expect(parts).toHaveLength(3);
  expect(parts[1]).toHaveLength(7 * lines);
  expect(Buffer.from(parts[1] as Uint8Array).equals(Buffer.from('>From \n'.repeat(lines)))).toBe(true);
});
