import { expect, it } from 'vitest';
import { findLengthProblems, findLongFunctions } from './function-length.mjs';

const body = lines => '{\n'.padEnd(lines, '\n').replace(/\n$/, '\n}');

it.each([
  ['a declaration', `function send() ${body(6)}`, 'send'],
  ['a component', `export default function Send() ${body(6)}`, 'Send'],
  ['a constant', `const send = () => ${body(6)};`, 'send'],
  ['a method', `class Sender { send() ${body(6)} }`, 'send'],
  ['a property', `const sender = { send: async () => ${body(6)} };`, 'send'],
  ['a callback', `run(() => ${body(6)});`, 'line 2'],
])('finds %s that is too long, with its name', (_kind, text, name) => {
  expect(findLongFunctions('a.ts', `first();\n${text}`, 5)).toEqual({ [`a.ts: ${name}`]: 6 });
});

it('counts a nested function in both functions and ignores short ones', () => {
  const inner = 'const inner = () => {\n\n\n\n};';
  expect(findLongFunctions('a.ts', `function outer() {\n${inner}\n}\nfunction short() {}`, 5)).toEqual({
    'a.ts: outer': 7,
  });
});

it('lets the list of exceptions only shrink', () => {
  const limited = exceptions => findLengthProblems({ 'a.ts: send': 7 }, exceptions, 5);
  expect(limited({})).toEqual(['a.ts: send has 7 lines; at most 5 are allowed. Split it.']);
  expect(limited({ 'a.ts: send': 7 })).toEqual([]);
  expect(limited({ 'a.ts: send': 6 })[0]).toContain('at most 6');
  expect(limited({ 'a.ts: send': 8 })[0]).toContain('Lower the entry');
  expect(limited({ 'a.ts: send': 7, 'b.ts: gone': 9 })[0]).toContain('Remove the entry');
});
