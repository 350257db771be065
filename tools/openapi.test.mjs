import { describe, expect, it } from 'vitest';
import { textOf } from './openapi.mjs';
import { compareSchemas, findBreakingChanges } from './openapi-changes.mjs';

const text = (more = {}) => ({ type: 'string', ...more });
const object = (properties, required = []) => ({ type: 'object', properties, required });
const input = (before, after) => compareSchemas(before, after, 'a', true);
const answer = (before, after) => compareSchemas(before, after, 'a', false);

describe('input', () => {
  it.each([
    ['a new optional field', object({ b: text() }), object({ b: text(), c: text() })],
    ['a field that is no longer required', object({ b: text() }, ['b']), object({ b: text() })],
    ['a longer text', text({ maxLength: 5 }), text({ maxLength: 9 })],
    ['one more value', text({ enum: ['x'] }), text({ enum: ['x', 'y'] })],
    ['null beside a text', text(), { anyOf: [text(), { type: 'null' }] }],
    ['any number for a whole one', { type: 'integer' }, { type: 'number' }],
  ])('may accept more: %s', (_name, before, after) => {
    expect(input(before, after)).toEqual([]);
  });

  it.each([
    ['a new required field', object({}), object({ c: text() }, ['c']), 'a.c is now required'],
    ['a field that is gone', object({ b: text() }), object({}), 'a.b was removed'],
    ['a shorter text', text({ maxLength: 9 }), text({ maxLength: 5 }), 'a: maxLength is stricter'],
    ['a limit where none was', text(), text({ maxLength: 5 }), 'a: maxLength is stricter'],
    ['a value less', text({ enum: ['x', 'y'] }), text({ enum: ['x'] }), 'a: "y" is a new value'],
    ['another type', text(), { type: 'integer' }, 'a has a different type'],
    ['no null any more', { anyOf: [text(), { type: 'null' }] }, text(), 'a has a different schema'],
    [
      'inside of a list',
      { type: 'array', items: text() },
      { type: 'array', items: { type: 'null' } },
      'a[] has a different type',
    ],
  ])('may not accept less: %s', (_name, before, after, problem) => {
    expect(input(before, after)).toEqual([problem]);
  });
});

describe('responses', () => {
  it.each([
    ['a new field', object({ b: text() }, ['b']), object({ b: text(), c: text() }, ['b', 'c'])],
    ['a value less', text({ enum: ['x', 'y'] }), text({ enum: ['x'] })],
    ['a text that is never null any more', { anyOf: [text(), { type: 'null' }] }, text()],
    ['a shorter text', text({ maxLength: 9 }), text({ maxLength: 5 })],
  ])('may become more exact: %s', (_name, before, after) => {
    expect(answer(before, after)).toEqual([]);
  });

  it.each([
    ['a field that is gone', object({ b: text() }, ['b']), object({}), 'a.b was removed'],
    [
      'a field that may be missing',
      object({ b: text() }, ['b']),
      object({ b: text() }),
      'a.b is no longer always present',
    ],
    ['a new value', text({ enum: ['x'] }), text({ enum: ['x', 'y'] }), 'a: "y" is a new value'],
    ['null where a text was', text(), { anyOf: [text(), { type: 'null' }] }, 'a has a different schema'],
  ])('may not change incompatibly: %s', (_name, before, after, problem) => {
    expect(answer(before, after)).toEqual([problem]);
  });
});

describe('calls', () => {
  const call = (more = {}) => ({
    'x-access': 'user',
    parameters: [],
    requestBody: { content: { 'application/json': { schema: object({ b: text() }) } } },
    responses: { 200: { content: { 'application/json': { schema: object({ c: text() }, ['c']) } } } },
    ...more,
  });
  const document = calls => ({ openapi: '3.1.1', paths: calls });
  const one = more => document({ '/a': { get: call(more) } });

  it('may be added but not removed', () => {
    const two = document({ '/a': { get: call(), post: call() } });
    expect(findBreakingChanges(one(), two)).toEqual([]);
    expect(findBreakingChanges(two, one())).toEqual(['POST /a was removed']);
  });

  it('may not change their access, parameters or response form', () => {
    const parameters = [{ name: 'q', in: 'query', required: true, schema: text() }];
    expect(findBreakingChanges(one(), one({ 'x-access': 'admin', parameters }))).toEqual([
      'GET /a has a different access level',
      'GET /a: q is now required',
    ]);
    expect(findBreakingChanges(one({ parameters }), one())).toEqual(['GET /a: q was removed']);
    const responses = { 200: { content: { 'text/plain': {} } } };
    expect(findBreakingChanges(one(), one({ responses }))).toEqual([
      'GET /a: answer is no longer application/json',
    ]);
  });

  it('are written one per line and read back unchanged', () => {
    const written = textOf(one());
    expect(JSON.parse(written)).toEqual(one());
    expect(written.split('\n').filter(line => line.startsWith('"get":'))).toHaveLength(1);
  });
});
