import { expect, it } from 'vitest';
import { findDialectProblems } from './dialect.mjs';

it.each([
  ['const send = async () => { await go(); };', 'send has a body'],
  ['export const send = (): void => {\n  go();\n};', 'send has a body'],
  ['interface Box { a: string }', 'Box is an interface'],
  ['export interface Box { a: string }', 'Box is an interface'],
  ['export const waitMs = 5 * 1000;', 'waitMs is a constant number'],
  ['const delays = [1, 2] as const;', 'delays is a constant number'],
  ['const organisation = find();', 'organisation: use American'],
  ['function normaliseAddress() {}', 'normaliseAddress: use American'],
  ['type Box = { colour: string };', 'colour: use American'],
  ['const box = { isCancelled: true };', 'isCancelled: use American'],
])('finds %s', (text, problem) => {
  const found = findDialectProblems('a.ts', `first();\n${text}`);
  expect(found).toHaveLength(1);
  expect(found[0]).toContain(`a.ts:2: ${problem}`);
});

it.each([
  'const isGone = (error: unknown) => error === null;',
  'const handlers: Handlers = () => { go(); };',
  'export async function send() {}',
  'function f() { const inner = () => { go(); }; const waitMs = 5; return inner(waitMs); }',
  'declare global { interface Window { keyfold: string } }',
  'const WAIT_MS = 5 * SECOND_MS;',
  'let turns = 0;',
  "const wire = { 'organisation': 1 };",
])('accepts %s', text => {
  expect(findDialectProblems('a.ts', text)).toEqual([]);
});
