// What a person does whose press a killed node took and did not answer: the page says so, and they press again. Only for what
// nothing is doubled by; what the client repeats by itself needs no pressing.
import { CallError } from '@keyfold/contract/client';
import type { Page } from 'playwright-core';
import { clusterKillsMs } from './cluster-mode.ts';

/** Presses, and once more when the page says that the server could not be reached; resolves with `arrived`. */
export const pressUntil = async (
  page: Page,
  press: () => Promise<void>,
  arrived: () => Promise<unknown>,
): Promise<void> => {
  await press();
  if (clusterKillsMs !== null) {
    const lost = page.getByText('Failed to connect to the server').first();
    const isLost = await Promise.race([
      arrived().then(
        () => false,
        () => false,
      ),
      lost.waitFor().then(
        () => true,
        () => false,
      ),
    ]);
    if (isLost) await press();
  }
  await arrived();
};

/** Makes something of which there can be one, and again when a killed node gave no answer: that it is there by then is as good. */
export const makeOne = async (make: () => Promise<unknown>): Promise<void> => {
  try {
    await make();
  } catch (error) {
    if (clusterKillsMs === null || !(error instanceof CallError) || error.code !== 'no_answer') throw error;
    await make().catch(again => {
      if (!(again instanceof CallError) || again.status !== 409) throw again;
    });
  }
};
