// The main thread's client for the worker that renders PDF pages: one worker per displayed file,
// terminated with it.
import * as Comlink from 'comlink';
import { startWorker } from '../../../crypto/worker/start-worker.ts';
import { PDF_WAIT_MS } from '../../../timing.ts';
import type { OpenedPdf, PdfWorker } from './pdf-worker.ts';
import workerUrl from './pdf-worker.ts?worker&url';

export type PdfFile = {
  readonly opened: OpenedPdf;
  /** Returns a page as a picture of this width in pixels; null when it cannot be rendered. */
  readonly draw: (page: number, widthPx: number) => Promise<ImageBitmap | null>;
  readonly close: () => void;
};

/** Files are untrusted: processing that exceeds this time is aborted. */
async function inTime<T>(work: Promise<T>): Promise<T> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error('The file takes too long')), PDF_WAIT_MS);
  });
  return Promise.race([work, late]).finally(() => clearTimeout(timer));
}

/** Opens a file in a separate worker. Rejects when the worker does not respond in time. */
export async function openPdf(content: Blob): Promise<PdfFile> {
  const worker = startWorker(workerUrl, 'pdf');
  const pdf = Comlink.wrap<PdfWorker>(worker);
  try {
    const bytes = await content.arrayBuffer();
    const opened = await inTime(Promise.resolve<OpenedPdf>(pdf.open(Comlink.transfer(bytes, [bytes]))));
    return { opened, draw: (page, width) => inTime(pdf.draw(page, width)), close: () => worker.terminate() };
  } catch (error) {
    worker.terminate();
    throw error;
  }
}
