// Which element of the page a row of a long list is drawn in. A row keeps its element while it is in sight; one that comes
// takes the element of one that went, so that scrolling leaves no garbage. Pure; VirtualList does the rest.

/**
 * Numbers of elements for these rows, in their order, given the elements that the rows before had. Elements that are free
 * are taken in the order in which they stand, so that a jump moves none of them.
 */
export function assignSlots(
  before: ReadonlyMap<string, number>,
  rows: readonly string[],
): ReadonlyMap<string, number> {
  const staying = new Set(rows);
  const free = [...before].flatMap(([row, slot]) => (staying.has(row) ? [] : [slot]));
  let nextFree = 0;
  let next = Math.max(-1, ...before.values()) + 1;
  const slots = new Map<string, number>();
  for (const row of rows) slots.set(row, before.get(row) ?? free[nextFree++] ?? next++);
  return slots;
}
