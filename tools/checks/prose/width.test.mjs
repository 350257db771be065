import { expect, it } from 'vitest';
import { findWideLines, isTooWide } from './width.mjs';

const words = 'word '.repeat(25).trim();

it.each([
  ['a line of a run', 'a.ts', `// ok\n// ${words}`, [2]],
  ['a comment of one line', 'a.ts', `/** ${words} */\nrun();`, [1]],
  ['a line of a comment', 'a.ts', `/**\n * ok\n * ${words}\n */\nrun();`, [3]],
  ['a tag', 'a.ts', `/**\n * @param {string} name ${words}\n */\nrun();`, [2]],
  ['a comment of JSX', 'a.tsx', `const a = (\n  <p>\n    {/* ${words} */}\n  </p>\n);`, [3]],
  ['each of several comments', 'a.ts', `// ${words}\nrun();\n\n// ok\nrun();\n// ${words}`, [1, 6]],
  ['a comment of a style sheet', 'a.css', `/* ${words} */`, [1]],
  ['a paragraph', 'a.md', `# Title\n\n${words}`, [3]],
  ['an item', 'a.md', `- ok\n- ${words}`, [2]],
])('finds %s', (_what, file, source, lines) => {
  expect(findWideLines(file, source)).toEqual(lines);
});

it.each([
  ['code', 'a.ts', `const text = '${words}';`],
  ['a comment behind code', 'a.ts', `run(); // ${words}`],
  ['text in a template', 'a.ts', `const text = \`\n// ${words}\n\`;`],
  ['what tools read', 'a.ts', `// biome-ignore lint/suspicious/noConsole: ${words}`],
  ['an example in a comment', 'a.ts', `/**\n * Run:\n *   node ${words}\n */`],
  ['a table', 'a.md', `| ${words} |\n| --- |\n| ${words} |`],
  ['a heading', 'a.md', `# ${words}`],
  ['a fence', 'a.md', `\`\`\`\n${words}\n\`\`\``],
  ['HTML', 'a.md', `<p>${words}</p>`],
])('leaves %s alone', (_what, file, source) => {
  expect(findWideLines(file, source)).toEqual([]);
});

it('counts characters and ignores unbreakable words', () => {
  const long = 'x'.repeat(95);
  expect(isTooWide(`// a ${long}`)).toBe(false);
  expect(isTooWide(`// a ${long}x`)).toBe(true);
  expect(isTooWide(`// a ${'ü'.repeat(95)}`)).toBe(false);
  expect(isTooWide(`// https://a.example/${long}`)).toBe(false);
  expect(isTooWide(`// \`${words}\``)).toBe(false);
});
