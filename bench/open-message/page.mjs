/**
 * Opens the message in its worker, sanitizes and shows it here as the reader does, then runs the
 * peer's path, in turn.
 */
import { sanitizeMailInSlices } from '@keyfold/mail/sanitize';
import { fillFrame } from '../../apps/web/src/features/mail/frame/frame-document.ts';
import { fitFrame } from '../../apps/web/src/features/mail/frame/frame-fit.ts';
import { createPauses } from '../../apps/web/src/lib/pauses.ts';
import { WORK_SLICE_MS } from '../../apps/web/src/timing.ts';

const WARM_UP_ROUNDS = 3;

const worker = new Worker(new URL('./worker.mjs', import.meta.url), { type: 'module' });
const ask = what =>
  new Promise((resolve, reject) => {
    worker.onmessage = ({ data }) => (data.failure ? reject(new Error(data.failure)) : resolve(data));
    worker.onerror = event => reject(new Error(event.message));
    worker.postMessage(what);
  });

const cleanOurs = async html =>
  (await sanitizeMailInSlices(html, {}, createPauses(WORK_SLICE_MS, new AbortController().signal))).html;
// Served as published: the bundler must not touch the file.
const { default: peerPurify } = await import(/* @vite-ignore */ `${location.origin}/peers/purify.mjs`);
const cleanPeer = async html => peerPurify.sanitize(html);

const loadFrame = () =>
  new Promise(resolve => {
    const frame = document.createElement('iframe');
    frame.sandbox = 'allow-same-origin';
    frame.src = '/message-frame.html';
    frame.style.width = '860px';
    frame.addEventListener('load', () => resolve(frame));
    document.body.append(frame);
  });

const painted = () => new Promise(resolve => requestAnimationFrame(() => setTimeout(resolve)));

async function showOnce(way, clean) {
  await ask({ way, step: 'before' });
  const start = performance.now();
  const { html, tookMs } = await ask({ way, step: 'open' });
  const workerMs = performance.now() - start;
  const safe = await clean(html);
  const cleanMs = performance.now() - start;
  const frame = await loadFrame();
  const frameMs = performance.now() - start;
  fillFrame(frame.contentDocument, { html: safe, theme: 'light', foldsQuotes: true, quoteLabel: 'Quoted' });
  frame.style.height = `${fitFrame(frame.contentDocument)}px`;
  await painted();
  const paintedMs = performance.now() - start;
  if (globalThis.STEPS) console.log(way, workerMs, cleanMs, frameMs, paintedMs);
  if (!frame.contentDocument.body.innerText.includes('Letter 1'))
    throw new Error('the message was not shown');
  frame.remove();
  return { tookMs, paintedMs };
}

globalThis.measure = async rounds => {
  await ask({ step: 'prepare' });
  const times = { opened: { ours: [], peer: [] }, painted: { ours: [], peer: [] } };
  for (let round = -WARM_UP_ROUNDS; round < rounds; round++)
    for (const [way, clean] of [
      ['ours', cleanOurs],
      ['peer', cleanPeer],
    ]) {
      const { tookMs, paintedMs } = await showOnce(way, clean);
      if (round < 0) continue;
      times.opened[way].push(tookMs);
      times.painted[way].push(paintedMs);
    }
  return times;
};
