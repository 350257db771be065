/**
 * A tab like a user's: Chromium driven over the DevTools protocol without the domains that record
 * requests and responses. A test driver enables those domains, and their records are kept in the
 * very process that is measured.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { executablePath, FLAGS } from '../shared/chromium.mjs';

const START_MS = 20_000;
const LOOK_MS = 100;

const sleep = ms => new Promise(resolve => setTimeout(resolve, ms));

/** Returns the browser's debugger address from its startup output. */
const debuggerOf = child =>
  new Promise((resolve, reject) => {
    let text = '';
    const late = setTimeout(() => reject(new Error('Chromium did not start')), START_MS);
    child.stderr.setEncoding('utf8').on('data', part => {
      text += part;
      const found = /DevTools listening on (ws:\S+)/.exec(text);
      if (found === null) return;
      clearTimeout(late);
      resolve(found[1]);
    });
  });

async function connect(address) {
  const socket = new WebSocket(address);
  await new Promise((resolve, reject) => {
    socket.addEventListener('open', resolve);
    socket.addEventListener('error', () => reject(new Error('the debugger does not respond')));
  });
  const waiting = new Map();
  let last = 0;
  socket.addEventListener('message', ({ data }) => {
    const { id, result, error } = JSON.parse(data);
    const call = waiting.get(id);
    waiting.delete(id);
    if (error === undefined) call?.resolve(result);
    else call?.reject(new Error(error.message));
  });
  return {
    send: (method, params = {}) =>
      new Promise((resolve, reject) => {
        last += 1;
        waiting.set(last, { resolve, reject });
        socket.send(JSON.stringify({ id: last, method, params }));
      }),
    close: () => socket.close(),
  };
}

/** Opens the tab, 1440x900. `close` terminates the browser and removes its profile. */
export async function openPlainTab() {
  const profile = mkdtempSync(path.join(tmpdir(), 'keyfold-tab-'));
  const child = spawn(
    executablePath(),
    [
      ...FLAGS,
      '--headless=new',
      '--password-store=basic',
      '--remote-debugging-port=0',
      '--window-size=1440,900',
      `--user-data-dir=${profile}`,
      'about:blank',
    ],
    { stdio: ['ignore', 'ignore', 'pipe'] },
  );
  const address = await debuggerOf(child);
  const list = `http://${new URL(address).host}/json`;
  const targets = await (await fetch(list)).json();
  const browser = await connect(address);
  const page = await connect(targets.find(({ type }) => type === 'page').webSocketDebuggerUrl);
  await page.send('Emulation.setDeviceMetricsOverride', {
    width: 1440,
    height: 900,
    deviceScaleFactor: 1,
    mobile: false,
  });
  const evaluate = async expression => {
    const { result, exceptionDetails } = await page.send('Runtime.evaluate', {
      expression,
      returnByValue: true,
      awaitPromise: true,
    });
    if (exceptionDetails !== undefined) throw new Error(`${exceptionDetails.text} in ${expression}`);
    return result.value;
  };
  return {
    evaluate,
    go: url => page.send('Page.navigate', { url }),
    until: async (expression, patienceMs) => {
      const endsAt = performance.now() + patienceMs;
      while (!(await evaluate(expression).catch(() => false))) {
        if (performance.now() > endsAt) throw new Error(`condition not met in time: ${expression}`);
        await sleep(LOOK_MS);
      }
    },
    type: text => page.send('Input.insertText', { text }),
    wheel: (x, y, deltaY) =>
      page.send('Input.dispatchMouseEvent', { type: 'mouseWheel', x, y, deltaX: 0, deltaY }),
    /** Allows downloads into a folder without a prompt. */
    saveInto: folder =>
      browser.send('Browser.setDownloadBehavior', { behavior: 'allow', downloadPath: folder }),
    /** Selects files for the input element that the expression returns. */
    chooseFiles: async (expression, files) => {
      const { result } = await page.send('Runtime.evaluate', { expression });
      await page.send('DOM.setFileInputFiles', { files, objectId: result.objectId });
    },
    /** Returns the process ids of the renderers. */
    renderers: async () => {
      const { processInfo } = await browser.send('SystemInfo.getProcessInfo');
      return processInfo.filter(({ type }) => type === 'renderer').map(({ id }) => id);
    },
    close: async () => {
      const ended = once(child, 'exit');
      page.close();
      await browser.send('Browser.close').catch(() => child.kill());
      await ended;
      browser.close();
      rmSync(profile, { recursive: true, force: true, maxRetries: 5 });
    },
  };
}
