import { expect, test } from 'vitest';
import { createConnectionGate, networkOf } from './connection-gate.ts';

const makeGate = (totalMax: number, perAddressMax: number) => {
  const clock = { nowMs: 0 };
  const evicted: string[] = [];
  const gate = createConnectionGate({
    totalMax,
    perAddressMax,
    staleMs: 1000,
    now: () => clock.nowMs,
    evict: id => evicted.push(id),
  });
  return { gate, clock, evicted };
};

test('one address has its own limit, and leaving makes room', () => {
  const { gate, evicted } = makeGate(10, 2);
  expect([gate.enter('a', '192.0.2.1'), gate.enter('b', '192.0.2.1')]).toEqual([true, true]);
  expect(gate.enter('c', '192.0.2.1')).toBe(false);
  expect(gate.enter('d', '192.0.2.2')).toBe(true);
  gate.leave('a');
  gate.leave('a');
  expect(gate.enter('e', '192.0.2.1')).toBe(true);
  expect(gate.enter('f', '192.0.2.1')).toBe(false);
  expect(evicted).toEqual([]);
});

test('at the limit the client that did nothing for longest gives way, one that works does not', () => {
  const { gate, clock, evicted } = makeGate(3, 3);
  for (const [index, id] of ['a', 'b', 'c'].entries()) gate.enter(id, `192.0.2.${index}`);
  clock.nowMs = 900;
  gate.progress('a');
  expect(gate.enter('early', '192.0.2.9')).toBe(false);
  clock.nowMs = 1500;
  expect(gate.enter('d', '192.0.2.9')).toBe(true);
  expect(gate.enter('e', '192.0.2.9')).toBe(true);
  expect(evicted).toEqual(['b', 'c']);
  expect(gate.enter('f', '192.0.2.9')).toBe(false);
  gate.leave('b');
  expect(gate.enter('g', '192.0.2.9')).toBe(false);
});

test('an IPv6 host is known by its network', () => {
  expect(networkOf('2001:db8:1:2:3:4:5:6')).toBe('2001:db8:1:2');
  expect(networkOf('2001:db8::1')).toBe('2001:db8:0:0');
  expect(networkOf('::1')).toBe('0:0:0:0');
  expect(networkOf('192.0.2.1')).toBe('192.0.2.1');
});
