// Extracts the text of a PDF file with PDFium in Node, to check what a user printed.
import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { init } from '@embedpdf/pdfium';

type Memory = {
  readonly HEAPU8: Uint8Array;
  readonly wasmExports: { malloc(size: number): number; free(pointer: number): void };
};

/** Returns the text of each page. Throws if the bytes are not a PDF file. */
export async function readPdfTexts(bytes: Uint8Array): Promise<string[]> {
  const wasm = fileURLToPath(import.meta.resolve('@embedpdf/pdfium/pdfium.wasm'));
  const pdfium = await init({ wasmBinary: new Uint8Array(await readFile(wasm)).buffer });
  pdfium.PDFiumExt_Init();
  const memory = pdfium.pdfium as unknown as Memory;
  const source = memory.wasmExports.malloc(bytes.length);
  memory.HEAPU8.set(bytes, source);
  const file = pdfium.FPDF_LoadMemDocument(source, bytes.length, '');
  if (file === 0) throw new Error('Not a PDF file');
  return Array.from({ length: pdfium.FPDF_GetPageCount(file) }, (_, number) => {
    const page = pdfium.FPDFText_LoadPage(pdfium.FPDF_LoadPage(file, number));
    const count = pdfium.FPDFText_CountChars(page);
    const text = memory.wasmExports.malloc(2 * (count + 1));
    pdfium.FPDFText_GetText(page, 0, count, text);
    return new TextDecoder('utf-16le').decode(memory.HEAPU8.slice(text, text + 2 * count));
  });
}
