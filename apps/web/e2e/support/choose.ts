// Chooses an option of a select box the way a user does: checks that the box shows the choice, and
// tries again otherwise.
import type { Locator } from 'playwright-core';
import { expect } from 'vitest';

/** Opens `box` and chooses the option with this name. */
export async function choose(box: Locator, option: string): Promise<void> {
  const isChosen = async (): Promise<boolean> => (await box.textContent())?.includes(option) === true;
  await expect
    .poll(async () => {
      if (await isChosen()) return true;
      await box.click();
      await box.page().getByRole('option', { name: option, exact: true }).click();
      return isChosen();
    })
    .toBe(true);
}
