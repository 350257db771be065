import { expect, test } from 'vitest';
import { createConnectionGate } from './connection-gate.ts';

function makeGate(totalMax: number, perAddressMax: number, perSiteMax = totalMax) {
  const clock = { nowMs: 0 };
  const evicted: string[] = [];
  const gate = createConnectionGate({
    totalMax,
    perAddressMax,
    perSiteMax,
    staleMs: 1000,
    now: () => clock.nowMs,
    evict: id => evicted.push(id),
  });
  return { gate, clock, evicted };
}

test('each address has its own limit, and a closed connection frees its slot', () => {
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

test('at the limit the longest idle client is evicted, a busy one is not', () => {
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

test('each site has its own limit across its networks, and other sites still connect', () => {
  const { gate, clock, evicted } = makeGate(10, 2, 3);
  for (const index of [1, 2, 3]) expect(gate.enter(`six ${index}`, `2001:db8:1:${index}::1`)).toBe(true);
  expect(gate.enter('six 4', '2001:db8:1:4::1')).toBe(false);
  expect(gate.enter('elsewhere', '2001:db8:2:1::1')).toBe(true);
  // IPv4 addresses as IPv6 listeners report them.
  for (const index of [1, 2, 3]) expect(gate.enter(`four ${index}`, `::ffff:192.0.2.${index}`)).toBe(true);
  expect(gate.enter('four 4', '192.0.2.4')).toBe(false);
  expect(gate.enter('four elsewhere', '192.0.3.1')).toBe(true);
  clock.nowMs = 1500;
  gate.progress('six 1');
  expect(gate.enter('six 5', '2001:db8:1:5::1')).toBe(true);
  expect(evicted).toEqual(['six 2']);
  gate.leave('six 1');
  expect(gate.enter('six 6', '2001:db8:1:6::1')).toBe(true);
  expect(evicted).toEqual(['six 2']);
});
