// LRU cache of the keys of messages opened in this session, each with the binding of the body it
// opened: a key is never wrapped for another binding ([Note: Binding] in docs/crypto.md). Evicted
// keys are wiped.

export type KeyCache = {
  readonly find: (mailId: string) => Uint8Array | null;
  /** Returns the key if it opened the body with this binding (base64), or null. */
  readonly findFor: (mailId: string, binding: string) => Uint8Array | null;
  /**
   * `binding` identifies the body that the key opens, in base64; `isReceived` is true when the user
   * neither wrote nor sent the message.
   */
  readonly keep: (mailId: string, key: Uint8Array, binding: string, isReceived?: boolean) => void;
  /** Returns whether another received message has exactly the same encrypted body. */
  readonly hasOther: (mailId: string, binding: string) => boolean;
  /** Returns the bindings of bodies that more than one received message has. */
  readonly copiedBodies: () => ReadonlySet<string>;
  readonly forget: (mailId: string) => void;
  readonly clear: () => void;
};

type Kept = { readonly key: Uint8Array; readonly binding: string; readonly isReceived: boolean };

/** Creates a cache of at most `max` keys. The cache owns the keys passed to it. */
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
