// Renders pages of a PDF file with PDFium (WebAssembly) in a worker. Forms are not initialized and
// there is no script engine, so nothing in a file can run. PDFium is loaded from our own server
// when the first file is previewed.
import { init, type WrappedPdfiumModule } from '@embedpdf/pdfium';
import wasmUrl from '@embedpdf/pdfium/pdfium.wasm?url';
import * as Comlink from 'comlink';
import { serveWorker } from '../../../crypto/worker/serve-worker.ts';

/** Width and height of a page, in points. */
export type PageSize = { readonly width: number; readonly height: number };
export type OpenedPdf =
  | { readonly kind: 'open'; readonly pages: readonly PageSize[] }
  | { readonly kind: 'locked' | 'broken' };

const PASSWORD_ERROR = 4;
/** Draws annotations and uses the byte order of a canvas. */
const DRAW_FLAGS = 0x01 | 0x10;
const WHITE = 0xffff_ffff;
const MAX_PIXELS = 16_000_000;
/** Maximum number of pages whose sizes are read at once. */
const MAX_PAGES = 2_000;

type Memory = {
  readonly HEAPU8: Uint8Array;
  readonly HEAPF32: Float32Array;
  readonly wasmExports: { malloc(size: number): number; free(pointer: number): void };
};

let pdfium: Promise<WrappedPdfiumModule> | null = null;
let document = 0;
let source = 0;

async function start(): Promise<WrappedPdfiumModule> {
  const answer = await fetch(wasmUrl, { credentials: 'same-origin' });
  if (!answer.ok) throw new Error('Failed to connect to the server');
  const module = await init({ wasmBinary: await answer.arrayBuffer() });
  module.PDFiumExt_Init();
  return module;
}

const memoryOf = (module: WrappedPdfiumModule): Memory => module.pdfium as unknown as Memory;

function pageSizes(module: WrappedPdfiumModule): PageSize[] {
  const memory = memoryOf(module);
  const count = Math.min(module.FPDF_GetPageCount(document), MAX_PAGES);
  const size = memory.wasmExports.malloc(8);
  const pages: PageSize[] = [];
  for (let index = 0; index < count; index += 1) {
    const isKnown = module.FPDF_GetPageSizeByIndexF(document, index, size);
    const [width = 0, height = 0] = memory.HEAPF32.subarray(size >> 2, (size >> 2) + 2);
    pages.push(isKnown && width > 0 && height > 0 ? { width, height } : { width: 612, height: 792 });
  }
  memory.wasmExports.free(size);
  return pages;
}

/** Opens a file. Each worker opens only one file. */
async function open(content: ArrayBuffer): Promise<OpenedPdf> {
  pdfium ??= start();
  const module = await pdfium;
  const memory = memoryOf(module);
  const bytes = new Uint8Array(content);
  source = memory.wasmExports.malloc(Math.max(1, bytes.length));
  memory.HEAPU8.set(bytes, source);
  document = module.FPDF_LoadMemDocument(source, bytes.length, '');
  if (document === 0) return { kind: module.FPDF_GetLastError() === PASSWORD_ERROR ? 'locked' : 'broken' };
  const pages = pageSizes(module);
  return pages.length === 0 ? { kind: 'broken' } : { kind: 'open', pages };
}

/** Draws a page `width` pixels wide, or returns null when that fails. */
async function draw(index: number, width: number): Promise<ImageBitmap | null> {
  const module = await (pdfium ?? start());
  const page = document === 0 ? 0 : module.FPDF_LoadPage(document, index);
  if (page === 0) return null;
  try {
    const ratio = module.FPDF_GetPageHeightF(page) / module.FPDF_GetPageWidthF(page);
    const fits = Math.min(1, Math.sqrt(MAX_PIXELS / (width * width * ratio)));
    const wide = Math.max(1, Math.round(width * fits));
    const high = Math.max(1, Math.round(wide * ratio));
    const bitmap = module.FPDFBitmap_Create(wide, high, 0);
    if (bitmap === 0) return null;
    try {
      module.FPDFBitmap_FillRect(bitmap, 0, 0, wide, high, WHITE);
      module.FPDF_RenderPageBitmap(bitmap, page, 0, 0, wide, high, 0, DRAW_FLAGS);
      const at = module.FPDFBitmap_GetBuffer(bitmap);
      const stride = module.FPDFBitmap_GetStride(bitmap);
      const memory = memoryOf(module);
      const pixels = new Uint8ClampedArray(wide * high * 4);
      for (let row = 0; row < high; row += 1)
        pixels.set(memory.HEAPU8.subarray(at + row * stride, at + row * stride + wide * 4), row * wide * 4);
      // The bitmap has no alpha channel, so the fourth byte of each pixel is undefined.
      for (let alpha = 3; alpha < pixels.length; alpha += 4) pixels[alpha] = 255;
      const drawn = await createImageBitmap(new ImageData(pixels, wide, high));
      return Comlink.transfer(drawn, [drawn]);
    } finally {
      module.FPDFBitmap_Destroy(bitmap);
    }
  } finally {
    module.FPDF_ClosePage(page);
  }
}

const pdfWorker = { open, draw };
export type PdfWorker = typeof pdfWorker;

serveWorker(pdfWorker);
