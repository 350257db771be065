// Chooses in a list that opens from a box, as a person does: looks whether the box says what was chosen, else tries again.
import type { Locator } from 'playwright-core';
import { expect } from 'vitest';

/** Opens `box` and takes the option of this name. */
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
