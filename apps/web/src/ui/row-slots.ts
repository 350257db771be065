// Which element of the page a row of a long list is drawn in. A row keeps its element while it is in sight; one that comes
// takes the element of one that went, so that scrolling leaves no garbage. Pure; VirtualList does the rest.

/** Numbers of elements for these rows, in their order, given the elements that the rows before had. */
export function assignSlots(
  before: ReadonlyMap<string, number>,
  rows: readonly string[],
): ReadonlyMap<string, number> {
  const slots = new Map<string, number>();
  const taken = new Set<number>();
  for (const row of rows) {
    const slot = before.get(row);
    if (slot === undefined) continue;
    slots.set(row, slot);
    taken.add(slot);
  }
  let next = 0;
  for (const row of rows) {
    if (slots.has(row)) continue;
    while (taken.has(next)) next += 1;
    slots.set(row, next);
    taken.add(next);
  }
  return slots;
}
