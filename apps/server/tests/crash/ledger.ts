/**
 * Records the answers that the clients of the crash test received, and so the messages that must be
 * found: each by a digest of its bytes, with its mailboxes and whether it was acknowledged. Also
 * holds the counts reported at the end.
 */
import { createHash } from 'node:crypto';

/** Acknowledged: present once. Open or given up: present at most once. */
export type Fate = 'open' | 'acknowledged' | 'given up';

export type Entry = {
  /** SHA-256 of the message as its reader sees it, with attachments reinserted. */
  readonly id: string;
  /** Addresses of the mailboxes it belongs in. */
  readonly boxes: readonly string[];
  /**
   * A word in the text that identifies copies sent to outside recipients; empty for internal
   * messages.
   */
  readonly mark: string;
  readonly outside: readonly string[];
  fate: Fate;
};

/** Event counts by name. */
export type Tally = Map<string, number>;

export function count(tally: Tally, name: string, by = 1): void {
  tally.set(name, (tally.get(name) ?? 0) + by);
}

/** Keeps the largest value of a figure. */
export function note(tally: Tally, name: string, figure: number): void {
  tally.set(name, Math.max(tally.get(name) ?? 0, figure));
}

export const idOf = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex');

export type Ledger = {
  readonly entries: ReadonlyMap<string, Entry>;
  readonly tally: Tally;
  /** Records a message before its first byte is sent. */
  readonly add: (entry: Omit<Entry, 'fate'>) => Entry;
};

export function createLedger(): Ledger {
  const entries = new Map<string, Entry>();
  return {
    entries,
    tally: new Map(),
    add: given => {
      if (entries.has(given.id)) throw new Error('Two messages of the test are equal');
      const entry: Entry = { ...given, fate: 'open' };
      entries.set(entry.id, entry);
      return entry;
    },
  };
}

/** Number of times each message was found in one mailbox. */
export type Found = ReadonlyMap<string, number>;

/** Returns the violations in a mailbox as text; empty when every guarantee was kept. */
export function findBrokenPromises(ledger: Ledger, box: string, found: Found): string[] {
  const broken: string[] = [];
  for (const entry of ledger.entries.values()) {
    const copies = found.get(entry.id) ?? 0;
    const isHere = entry.boxes.includes(box);
    if (!isHere && copies > 0) broken.push(`${box} has ${entry.id}, which was never sent there`);
    if (isHere && copies > 1) broken.push(`${box} has ${entry.id} ${copies} times (${entry.fate})`);
    if (isHere && copies === 0 && entry.fate === 'acknowledged')
      broken.push(`${box} has lost ${entry.id}, which was acknowledged`);
  }
  for (const id of found.keys())
    if (!ledger.entries.has(id)) broken.push(`${box} has ${id}, which is no message that anybody sent`);
  return broken;
}
