import { expect, test } from 'vitest';
import type { RecipientView } from '../draft/view-model.ts';
import { CHIPS_MAX, chipsShown } from './chips-shown.ts';

const people = (count: number): RecipientView[] =>
  Array.from({ length: count }, (_, index) => ({
    address: `p${index}@a.example`,
    name: '',
    state: 'plain' as const,
  }));

test('shows twenty of three hundred chips until all are requested', () => {
  expect(CHIPS_MAX).toBe(20);
  expect(chipsShown(people(20), false)).toHaveLength(20);
  expect(chipsShown(people(300), false).map(({ index }) => index)).toEqual([...Array(20).keys()]);
  expect(chipsShown(people(300), true)).toHaveLength(300);
});

test('a recipient that blocks sending is never hidden', () => {
  const list = people(300);
  list[250] = { address: 'no address', name: '', state: 'invalid' };
  const shown = chipsShown(list, false);
  expect(shown).toHaveLength(20);
  expect(shown.at(-1)).toEqual({ recipient: list[250], index: 250 });
});
