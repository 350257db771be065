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
  ])('may be more: %s', (_name, before, after) => {
    expect(input(before, after)).toEqual([]);
  });

  it.each([
    ['a new required field', object({}), object({ c: text() }, ['c']), 'a.c is now required'],
    ['a field that is gone', object({ b: text() }), object({}), 'a.b is gone'],
    ['a shorter text', text({ maxLength: 9 }), text({ maxLength: 5 }), 'a: maxLength is narrower'],
    ['a limit where none was', text(), text({ maxLength: 5 }), 'a: maxLength is narrower'],
    ['a value less', text({ enum: ['x', 'y'] }), text({ enum: ['x'] }), 'a: "y" is not known'],
    ['another type', text(), { type: 'integer' }, 'a has another type'],
    ['no null any more', { anyOf: [text(), { type: 'null' }] }, text(), 'a has another form'],
    [
      'inside of a list',
      { type: 'array', items: text() },
      { type: 'array', items: { type: 'null' } },
      'a[] has another type',
    ],
  ])('may not be less: %s', (_name, before, after, problem) => {
    expect(input(before, after)).toEqual([problem]);
  });
});

describe('answers', () => {
  it.each([
    ['a new field', object({ b: text() }, ['b']), object({ b: text(), c: text() }, ['b', 'c'])],
    ['a value less', text({ enum: ['x', 'y'] }), text({ enum: ['x'] })],
    ['a text that is never null any more', { anyOf: [text(), { type: 'null' }] }, text()],
    ['a shorter text', text({ maxLength: 9 }), text({ maxLength: 5 })],
  ])('may say it more exactly: %s', (_name, before, after) => {
    expect(answer(before, after)).toEqual([]);
  });

  it.each([
    ['a field that is gone', object({ b: text() }, ['b']), object({}), 'a.b is gone'],
    [
      'a field that may be missing',
      object({ b: text() }, ['b']),
      object({ b: text() }),
      'a.b is no longer always there',
    ],
    ['a new value', text({ enum: ['x'] }), text({ enum: ['x', 'y'] }), 'a: "y" is not known'],
    ['null where a text was', text(), { anyOf: [text(), { type: 'null' }] }, 'a has another form'],
  ])('may not say something else: %s', (_name, before, after, problem) => {
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

  it('may come, and may not go', () => {
    const two = document({ '/a': { get: call(), post: call() } });
    expect(findBreakingChanges(one(), two)).toEqual([]);
    expect(findBreakingChanges(two, one())).toEqual(['POST /a is gone']);
  });

  it('may not ask for another access or another parameter, nor answer in another form', () => {
    const parameters = [{ name: 'q', in: 'query', required: true, schema: text() }];
    expect(findBreakingChanges(one(), one({ 'x-access': 'admin', parameters }))).toEqual([
      'GET /a has another access',
      'GET /a: q is now required',
    ]);
    expect(findBreakingChanges(one({ parameters }), one())).toEqual(['GET /a: q is gone']);
    const responses = { 200: { content: { 'text/plain': {} } } };
    expect(findBreakingChanges(one(), one({ responses }))).toEqual([
      'GET /a: answer is no longer application/json',
    ]);
  });

  it('are written on a line each, and read back as they were', () => {
    const written = textOf(one());
    expect(JSON.parse(written)).toEqual(one());
    expect(written.split('\n').filter(line => line.startsWith('"get":'))).toHaveLength(1);
  });
});
