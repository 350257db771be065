import { describe, expect, it } from 'vitest';
import { listBenches, toLine } from './bench.mjs';

describe('benchmarks', () => {
  it('are the files of bench/, by name', () => {
    expect(listBenches(['README.md', 'open-list.ts', 'login.mjs', 'login.test.ts', 'peers'])).toEqual([
      'login',
      'open-list',
    ]);
  });

  it('are printed as one JSON line with the ratio', () => {
    const result = { ours: 7, peer: 28, unit: 'ms', peer_is: 'OpenPGP.js 6', goal: 'at most 0.35' };
    expect(JSON.parse(toLine('open-list', result))).toEqual({ bench: 'open-list', ...result, ratio: 0.25 });
  });

  it('have no ratio and say so when the goal was not measured', () => {
    const result = { ours: null, peer: 0, unit: 'lost', peer_is: 'the goal', goal: '0 lost' };
    const more = { met: null, not_measured: ['a file is missing'] };
    expect(JSON.parse(toLine('reliability', { ...result, ...more }))).toEqual({
      bench: 'reliability',
      ...result,
      ...more,
      ratio: null,
    });
  });

  it('are refused with missing fields', () => {
    expect(() => toLine('login', { ours: 1, unit: 'ms' })).toThrow('did not return peer, peer_is, goal');
  });
});
