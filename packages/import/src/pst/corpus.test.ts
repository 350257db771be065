// Compares real files with what readpst 0.6.76 and pst-extractor 1.12 find in them. Each difference
// is explained here.
import { parseMessage } from '@keyfold/mail/mime/parse';
import { describe, expect, test } from 'vitest';
import { expectedOf, hasPstCorpus, NO_PST_CORPUS, pstCorpus } from '../../test-support/pst-corpus.ts';
import { sourceOfBytes } from '../byte-source.ts';
import type { ImportItem } from '../items.ts';
import { openPst } from './reader.ts';

/**
 * What readpst writes for each file (messages, appointments, contacts), and how much Keyfold's
 * result differs, with the reason.
 */
const READPST: Record<string, { counts: [number, number, number]; more?: [number, string] }> = {
  'gopst__32-bit.pst': { counts: [0, 1, 0] },
  'aspose__Outlook.pst': { counts: [14, 1, 1] },
  'aspose__passwordprotectedPST.pst': { counts: [18, 0, 0] },
  'javalibpst__dist-list.pst': {
    counts: [0, 1, 1],
    more: [3, 'a distribution list gives a card for each of its members; readpst leaves lists out'],
  },
  'aspose__PersonalStorage.pst': { counts: [0, 0, 0] },
  'aspose__SampleContacts.pst': { counts: [0, 0, 6] },
};

/**
 * Classes that pst-extractor lists although they are not user content: settings and free/busy
 * times.
 */
const NOT_OURS = /^IPM\.Microsoft\./;
/** Search folders: they show the content of others. */
const SEARCHES = /^\/(Search Root|Reminders)(\/|$)/;

const corpus = pstCorpus();

async function itemsOf(name: string): Promise<ImportItem[]> {
  const reader = await openPst(sourceOfBytes(corpus.get(name) ?? new Uint8Array()));
  return Array.fromAsync(reader.items());
}

describe.skipIf(!hasPstCorpus)(`real PST files${hasPstCorpus ? '' : `: ${NO_PST_CORPUS}`}`, () => {
  test('the table lists every file of the corpus', () => {
    expect(Object.keys(READPST)).toEqual(expect.arrayContaining([...corpus.keys()]));
  });

  test.each([...corpus.keys()])(
    '%s has as many messages, appointments and contacts as readpst finds',
    async name => {
      const items = await itemsOf(name);
      const { counts, more } = READPST[name] ?? { counts: [0, 0, 0] };
      const mails = items.filter(item => item.kind === 'mail');
      const isAppointment = (raw: Uint8Array) => /^METHOD:PUBLISH/m.test(new TextDecoder().decode(raw));
      const appointments = mails.filter(({ raw }) => isAppointment(raw)).length;
      const contacts = items.filter(({ kind }) => kind === 'contact').length;
      expect([mails.length - appointments, appointments, contacts - (more?.[0] ?? 0)]).toEqual(counts);
      expect(items.filter(({ kind }) => kind === 'broken')).toEqual([]);
    },
  );

  test.each([...corpus.keys()])(
    '%s has the folders, subjects and files that pst-extractor finds',
    async name => {
      const folders = expectedOf(name).folders ?? [];
      const items = await itemsOf(name);
      for (const { path, items: expected = [] } of folders) {
        if (SEARCHES.test(path)) continue;
        const folder = path.replace(/^\/[^/]+\/?/, '').replace(/^$/, path.slice(1));
        const inFolder = items.filter(item => item.folder.join('/') === folder);
        const mails = inFolder.filter(item => item.kind === 'mail');
        const wanted = expected.filter(
          ({ cls }) => !NOT_OURS.test(cls) && !/^IPM\.(Contact|DistList)/.test(cls),
        );
        const found = await Promise.all(
          mails.map(async ({ raw }) => {
            const message = await parseMessage(raw);
            const files = message.attachments.filter(({ mimeType }) => mimeType !== 'text/calendar');
            return `${message.subject?.trim() ?? ''} (${files.length})`;
          }),
        );
        const told = wanted.map(({ subject, att }) => `${subject.trim()} (${att.length})`);
        expect([folder, found.sort()]).toEqual([folder, told.sort()]);
      }
    },
  );
});
