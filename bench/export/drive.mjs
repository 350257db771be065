/**
 * Drives the export and the import in a tab as a user does: packing all mail, saving the archive,
 * importing it.
 */
import { readdirSync } from 'node:fs';
import path from 'node:path';

const LOOK_MS = 250;
const PAGE_MS = 60_000;
const WORK_MS = 3_600_000;

const sleep = ms => new Promise(resolve => setTimeout(resolve, ms));
const buttonOf = name =>
  `[...document.querySelectorAll('button')].find(one => one.textContent === '${name}')`;
async function press(tab, name) {
  await tab.until(`${buttonOf(name)} !== undefined`, PAGE_MS);
  await tab.evaluate(`${buttonOf(name)}.click()`);
}
const saysOf = words => `document.querySelector('main').textContent.includes('${words}')`;

/** Packs all mail. Returns the seconds from the click until it is done. */
export async function packAll(tab, baseUrl) {
  await tab.go(`${baseUrl}/app/config/account/export`);
  await tab.until(`${buttonOf('Start export')} !== undefined`, PAGE_MS);
  const startedAt = performance.now();
  await press(tab, 'Start export');
  await tab.until(`${buttonOf('Save file')} !== undefined || ${saysOf('It stopped')}`, WORK_MS);
  const seconds = (performance.now() - startedAt) / 1000;
  if (await tab.evaluate(saysOf('It stopped'))) throw new Error('the export stopped');
  return seconds;
}

/** Saves the archive into an empty folder. Returns its path. */
export async function saveArchive(tab, folder) {
  await tab.saveInto(folder);
  await tab.evaluate('window.showSaveFilePicker = undefined');
  await press(tab, 'Save file');
  await tab.until(saysOf('Saved, with'), WORK_MS);
  for (const endsAt = performance.now() + WORK_MS; performance.now() < endsAt; await sleep(LOOK_MS)) {
    const [name] = readdirSync(folder);
    if (name?.endsWith('.zip')) return path.join(folder, name);
  }
  throw new Error('the archive was never saved');
}

/** Removes the working copy. */
export async function removeExport(tab) {
  await press(tab, 'Remove');
  await sleep(LOOK_MS);
  const confirm = "document.querySelector('[role=alertdialog]')";
  if (await tab.evaluate(`${confirm} !== null`))
    await tab.evaluate(
      `[...${confirm}.querySelectorAll('button')].find(one => one.textContent === 'Remove').click()`,
    );
  await tab.until(`${buttonOf('Start export')} !== undefined`, PAGE_MS);
}

/**
 * Imports files. Returns the seconds from the click until the import reports completion, and its
 * report.
 */
export async function bringIn(tab, baseUrl, files) {
  await tab.go(`${baseUrl}/app/config/import`);
  await tab.until("document.querySelector('main input[type=file]') !== null", PAGE_MS);
  await tab.chooseFiles("document.querySelector('main input[type=file]')", files);
  await tab.until(`${buttonOf('Start import')} !== undefined`, WORK_MS);
  const startedAt = performance.now();
  await press(tab, 'Start import');
  await tab.until(`${saysOf('Finished')} || ${saysOf('Import stopped')}`, WORK_MS);
  const seconds = (performance.now() - startedAt) / 1000;
  const says = await tab.evaluate("document.querySelector('main dl')?.textContent ?? ''");
  if (!(await tab.evaluate(saysOf('Finished')))) throw new Error(`the import stopped: ${says}`);
  return { seconds, says };
}
