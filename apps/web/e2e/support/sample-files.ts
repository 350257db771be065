// Small files for tests: an image, a two-page PDF file with text and a box on each page, and a
// broken file.
import { crc32, deflateSync } from 'node:zlib';

function chunk(type: string, data: Uint8Array): Buffer {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data]);
  const out = Buffer.alloc(8 + data.length + 4);
  out.writeUInt32BE(data.length, 0);
  body.copy(out, 4);
  out.writeUInt32BE(crc32(body), 8 + data.length);
  return out;
}

const SIDE = 8;
const header = Buffer.from([0, 0, 0, SIDE, 0, 0, 0, SIDE, 8, 2, 0, 0, 0]);
const row = Buffer.from([0, ...Array.from({ length: SIDE }, () => [200, 40, 40]).flat()]);

/** A red square of eight by eight pixels. */
export const pixelPng: Uint8Array = Buffer.concat([
  Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]),
  chunk('IHDR', header),
  chunk('IDAT', deflateSync(Buffer.concat(Array.from({ length: SIDE }, () => row)))),
  chunk('IEND', new Uint8Array(0)),
]);

const stream = (words: string): string => `BT /F1 48 Tf 72 600 Td (${words}) Tj ET 72 200 200 100 re f`;

function makePdf(): Uint8Array {
  const pages = ['First page', 'Second page'].map(stream);
  const objects = [
    '<< /Type /Catalog /Pages 2 0 R /OpenAction << /S /JavaScript /JS (app.alert\\(1\\)) >> >>',
    '<< /Type /Pages /Kids [3 0 R 4 0 R] /Count 2 >>',
    ...[6, 7].map(
      content =>
        `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Contents ${content} 0 R /Resources << /Font << /F1 5 0 R >> >> >>`,
    ),
    '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>',
    ...pages.map(content => `<< /Length ${content.length} >>\nstream\n${content}\nendstream`),
  ];
  let text = '%PDF-1.4\n';
  const offsets = objects.map((object, index) => {
    const at = text.length;
    text += `${index + 1} 0 obj\n${object}\nendobj\n`;
    return at;
  });
  const table = text.length;
  text += `xref\n0 ${objects.length + 1}\n0000000000 65535 f \n`;
  text += offsets.map(at => `${String(at).padStart(10, '0')} 00000 n \n`).join('');
  text += `trailer << /Size ${objects.length + 1} /Root 1 0 R >>\nstartxref\n${table}\n%%EOF\n`;
  return Buffer.from(text, 'latin1');
}

/** A PDF of two pages; it also requests to run a script, which must not happen. */
export const twoPagePdf: Uint8Array = makePdf();
export const brokenPdf: Uint8Array = Buffer.from('%PDF-1.7\nthis is no file at all\n%%EOF');
