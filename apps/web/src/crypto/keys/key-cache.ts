// Message keys of mails that were opened in this session, least recently used first out, each with the binding of the body
// that it opened: it is never wrapped for another ([Note: Binding] in docs/crypto.md). Evicted keys are wiped.

export type KeyCache = {
  readonly find: (mailId: string) => Uint8Array | null;
  /** The key, if it opened the body of this binding, base64. */
  readonly findFor: (mailId: string, binding: string) => Uint8Array | null;
  /** `binding` is that of the body which the key opens, base64; `isReceived`: neither written nor sent by oneself. */
  readonly keep: (mailId: string, key: Uint8Array, binding: string, isReceived?: boolean) => void;
  /** Whether another mail that was received has the very same sealed body. */
  readonly hasOther: (mailId: string, binding: string) => boolean;
  /** The bindings of bodies that more than one received mail has. */
  readonly copiedBodies: () => ReadonlySet<string>;
  readonly forget: (mailId: string) => void;
  readonly clear: () => void;
};

type Kept = { readonly key: Uint8Array; readonly binding: string; readonly isReceived: boolean };

/** A cache of at most `max` keys. It owns what it is given. */
export function createKeyCache(max: number): KeyCache {
  const keys = new Map<string, Kept>();
  const drop = (mailId: string): void => {
    keys.get(mailId)?.key.fill(0);
    keys.delete(mailId);
  };
  return {
    find: mailId => {
      const kept = keys.get(mailId);
      if (kept === undefined) return null;
      keys.delete(mailId);
      keys.set(mailId, kept);
      return kept.key;
    },
    findFor: (mailId, binding) => {
      const kept = keys.get(mailId);
      return kept?.binding === binding ? kept.key : null;
    },
    keep: (mailId, key, binding, isReceived = false) => {
      if (keys.get(mailId)?.key !== key) drop(mailId);
      keys.set(mailId, { key, binding, isReceived });
      const [oldest] = keys.keys();
      if (keys.size > max && oldest !== undefined) drop(oldest);
    },
    hasOther: (mailId, binding) => {
      for (const [id, kept] of keys)
        if (id !== mailId && kept.isReceived && kept.binding === binding) return true;
      return false;
    },
    copiedBodies: () => {
      const seen = new Set<string>();
      const copied = new Set<string>();
      for (const { binding, isReceived } of keys.values()) {
        if (!isReceived) continue;
        if (seen.has(binding)) copied.add(binding);
        seen.add(binding);
      }
      return copied;
    },
    forget: drop,
    clear: () => {
      for (const mailId of [...keys.keys()]) drop(mailId);
    },
  };
}
