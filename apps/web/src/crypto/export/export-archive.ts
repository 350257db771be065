// Builds the archive of an export (docs/export.md). Messages are added one after the other and
// leave in pieces of some megabytes; when all are there, the archive is read out as the pieces
// between a ZIP file's header and trailer. Memory holds one piece and one message.
import { crc32 } from '../../lib/zip.ts';
import { archiveEnd, directoryRecord, localHeader, type ZipEntry } from '../../lib/zip-stream.ts';
import { asEml, asMbox, type ExportedState, emlName, exportFields } from '../reading/exported-mail.ts';
import type { ExportFiles, ExportPlace, PieceHead } from './export-files.ts';

/**
 * Size at which a piece is closed, in bytes. The excess of a large message is passed on in slices
 * of the same size.
 */
const PIECE_BYTES = 8 * 1024 * 1024;

const mboxName = 'mail.mbox';
const contactsName = 'contacts.vcf';
const manifestName = 'manifest.json';
const encoder = new TextEncoder();

export type ExportWriter = {
  readonly place: () => ExportPlace;
  /** Adds a message with the SHA-256 of its bytes. */
  readonly add: (id: string, mail: ExportedState, raw: Uint8Array<ArrayBuffer>, sha256Hex: string) => void;
  /** Records a message that is missing from the archive. */
  readonly fail: (id: string, why: 'gone' | 'not opened') => void;
  /**
   * Sets the number of processed messages of the plan, after each of them; closes a piece that is
   * large enough.
   */
  readonly step: (done: number) => Promise<void>;
  /** Closes the piece, without anything added after the last step. */
  readonly flush: () => Promise<void>;
};

const start: ExportPlace = { done: 0, mails: 0, failed: 0, bytes: 0, crc: 0 };

/** Yields the bytes of the parts, at most a piece at a time. */
function* slicesOf(parts: readonly Uint8Array[], sizeBytes: number): Generator<Uint8Array<ArrayBuffer>> {
  let leftBytes = sizeBytes;
  let slice = new Uint8Array(Math.min(PIECE_BYTES, leftBytes));
  let filled = 0;
  for (const part of parts) {
    for (let at = 0; at < part.length; ) {
      const some = part.subarray(at, at + slice.length - filled);
      slice.set(some, filled);
      at += some.length;
      filled += some.length;
      if (filled < slice.length) continue;
      yield slice;
      leftBytes -= filled;
      slice = new Uint8Array(Math.min(PIECE_BYTES, leftBytes));
      filled = 0;
    }
  }
}

/** Continues where the last complete piece ended. */
export async function writeExport(files: ExportFiles): Promise<ExportWriter> {
  const { format, beganAt } = files.plan;
  const at = new Date(beganAt);
  const count = files.count();
  let place = count === 0 ? start : (await files.head(count - 1)).place;
  let parts: Uint8Array[] = [];
  let sizeBytes = 0;
  let [entries, mails, failed]: [PieceHead['entries'], string[], string[]] = [[], [], []];
  let before = place.done;
  const marked = () => ({
    place,
    parts: parts.length,
    sizeBytes,
    entries: entries.length,
    mails: mails.length,
    failed: failed.length,
  });
  let mark = marked();

  const put = (part: Uint8Array): void => {
    parts.push(part);
    sizeBytes += part.length;
  };
  const flush = async (): Promise<void> => {
    // An interrupted batch is packed again as a whole.
    ({ place, sizeBytes } = mark);
    parts.length = mark.parts;
    entries.length = mark.entries;
    mails.length = mark.mails;
    failed.length = mark.failed;
    if (place.done === before) return;
    await files.add({ place, entries, mails, failed }, slicesOf(parts, sizeBytes));
    before = place.done;
    [parts, sizeBytes, entries, mails, failed] = [[], 0, [], [], []];
    mark = marked();
  };
  return {
    place: () => place,
    add: (id, mail, raw, sha256) => {
      const fields = exportFields(mail, raw, sha256);
      const offset = place.bytes;
      let name = mboxName;
      if (format === 'mbox') {
        for (const part of asMbox(fields, raw, mail.received_at)) {
          put(part);
          place = { ...place, crc: crc32(part, place.crc), bytes: place.bytes + part.length };
        }
      } else {
        name = emlName(place.mails + 1, mail, raw);
        const content = asEml(fields, raw);
        const crc = content.reduce((sum, part) => crc32(part, sum), 0);
        const size = content.reduce((sum, { length }) => sum + length, 0);
        entries.push([name, crc, size, offset]);
        const header = localHeader({ name, crc, sizeBytes: size }, at);
        for (const part of [header, ...content]) put(part);
        place = { ...place, bytes: place.bytes + header.length + size };
      }
      mails.push(
        JSON.stringify({
          id,
          ...(format === 'mbox' ? { offset } : { file: name }),
          size: raw.length,
          sha256,
        }),
      );
      place = { ...place, mails: place.mails + 1 };
    },
    fail: (id, why) => {
      failed.push(JSON.stringify({ id, why }));
      place = { ...place, failed: place.failed + 1 };
    },
    step: async done => {
      place = { ...place, done };
      mark = marked();
      if (sizeBytes >= PIECE_BYTES) await flush();
    },
    flush,
  };
}

/** Data of the owner other than mail, included in the archive. */
export type ExportExtras = {
  /** A vCard file, and the number of people in it. */
  readonly cards: string;
  readonly contacts: number;
  readonly tags: readonly { readonly name: string; readonly color: string }[];
};

async function* headsOf(files: ExportFiles): AsyncGenerator<PieceHead> {
  for (let number = 0; number < files.count(); number += 1) yield files.head(number);
}

/**
 * Yields the manifest line by line, so that a manifest of a hundred thousand messages is not built
 * as one string.
 */
async function* manifestLines(files: ExportFiles, extras: ExportExtras, place: ExportPlace) {
  const { format, scope, beganAt } = files.plan;
  const head = {
    keyfold_export: 1,
    made_at: beganAt,
    format,
    scope: scope ?? { kind: 'all' },
    counts: { mails: place.mails, failed: place.failed, contacts: extras.contacts },
    tags: extras.tags.map(({ name, color }) => ({ name, color })),
  };
  yield `${JSON.stringify(head).slice(0, -1)},\n"mails":[`;
  let separator = '\n';
  for await (const { mails } of headsOf(files)) {
    if (mails.length === 0) continue;
    yield separator + mails.join(',\n');
    separator = ',\n';
  }
  yield '\n],\n"failed":[';
  separator = '\n';
  for await (const { failed } of headsOf(files)) {
    if (failed.length === 0) continue;
    yield separator + failed.join(',\n');
    separator = ',\n';
  }
  yield '\n]}\n';
}

/**
 * Yields the whole archive from its first byte. Throws 'Failed to open stored data' when the
 * working copy is damaged.
 */
export async function* readExport(
  files: ExportFiles,
  extras: ExportExtras,
): AsyncGenerator<Uint8Array<ArrayBuffer>> {
  const at = new Date(files.plan.beganAt);
  const isMbox = files.plan.format === 'mbox';
  const count = files.count();
  const place = count === 0 ? start : (await files.head(count - 1)).place;
  const late: ZipEntry[] = [];
  let offset = 0;
  if (isMbox) {
    const entry = { name: mboxName, crc: place.crc, sizeBytes: place.bytes };
    const header = localHeader(entry, at);
    late.push({ ...entry, offset });
    offset += header.length;
    yield header;
  }
  for (let number = 0; number < count; number += 1) yield* files.bytes(number);
  offset += place.bytes;

  const cards = encoder.encode(extras.cards);
  const contacts = { name: contactsName, crc: crc32(cards), sizeBytes: cards.length };
  late.push({ ...contacts, offset });
  for (const part of [localHeader(contacts, at), cards]) {
    offset += part.length;
    yield part;
  }

  const manifest = { name: manifestName, crc: 0, sizeBytes: 0 };
  for await (const line of manifestLines(files, extras, place)) {
    const bytes = encoder.encode(line);
    manifest.crc = crc32(bytes, manifest.crc);
    manifest.sizeBytes += bytes.length;
  }
  late.push({ ...manifest, offset });
  const header = localHeader(manifest, at);
  yield header;
  for await (const line of manifestLines(files, extras, place)) yield encoder.encode(line);
  offset += header.length + manifest.sizeBytes;

  let [entries, directoryBytes] = [0, 0];
  const list = function* (some: readonly ZipEntry[]) {
    for (const entry of some) {
      const line = directoryRecord(entry, at);
      entries += 1;
      directoryBytes += line.length;
      yield line;
    }
  };
  for await (const piece of headsOf(files))
    yield* list(
      piece.entries.map(([name, crc, sizeBytes, where]) => ({ name, crc, sizeBytes, offset: where })),
    );
  yield* list(late);
  yield archiveEnd(entries, offset, directoryBytes);
}
