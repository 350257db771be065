import { describe, expect, test } from 'vitest';
import { checkConfiguration, findSettingProblems, renderPage } from './configuration.mjs';

const declared = {
  PORT: { default: '8000' },
  KEYFOLD_LOG: { default: 'info', enum: ['info', 'warn', 'silent'] },
};
const port = { format: 'port', description: 'Port of the API ([Start](docs/operations.md)).' };
const log = { description: 'Log level.' };
const groupsOf = settings => [{ title: 'Service', settings }];

test('the committed page is current and describes every setting', async () => {
  expect(await checkConfiguration()).toEqual([]);
});

test('a row has the default and choices of the schema, and links relative to docs/', () => {
  const lines = renderPage(declared, groupsOf({ PORT: port, KEYFOLD_LOG: log })).split('\n');
  expect(lines).toContain('## Service');
  expect(lines).toContain('| `PORT` | `8000` | port | Port of the API ([Start](operations.md)). |');
  expect(lines).toContain('| `KEYFOLD_LOG` | `info` | `info`, `warn` or `silent` | Log level. |');
  const optional = { format: 'path', fallback: 'none', description: 'Folder.' };
  expect(renderPage({ DIR: { default: '' } }, groupsOf({ DIR: optional }))).toContain(
    '| `DIR` | none | path | Folder. |',
  );
});

describe('description problems', () => {
  test.each([
    ['a setting without a description', { PORT: port }, /^KEYFOLD_LOG: has no description/],
    ['an unknown setting', { PORT: port, KEYFOLD_LOG: log, OLD: log }, /^OLD: is described, but/],
    ['half a sentence', { PORT: port, KEYFOLD_LOG: { description: 'level' } }, /must be a sentence$/],
    [
      'a default that is repeated',
      { PORT: { ...port, fallback: '8000' }, KEYFOLD_LOG: log },
      /^PORT: needs either a default/,
    ],
    [
      'choices that are repeated',
      { PORT: port, KEYFOLD_LOG: { ...log, format: 'text' } },
      /^KEYFOLD_LOG: needs either choices/,
    ],
  ])('%s', (_, settings, problem) => {
    expect(findSettingProblems(declared, groupsOf(settings))).toEqual([expect.stringMatching(problem)]);
  });

  test('a setting described twice', () => {
    const twice = [...groupsOf({ PORT: port, KEYFOLD_LOG: log }), ...groupsOf({ PORT: port })];
    expect(findSettingProblems(declared, twice)).toEqual([
      expect.stringMatching(/^PORT: is described twice/),
    ]);
  });

  test('none when each setting has one description', () => {
    expect(findSettingProblems(declared, groupsOf({ PORT: port, KEYFOLD_LOG: log }))).toEqual([]);
  });
});
