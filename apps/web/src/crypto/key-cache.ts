// Message keys of mails that were opened in this session, least recently used first out. Evicted keys are wiped.

export type KeyCache = {
  readonly find: (mailId: string) => Uint8Array | null;
  readonly keep: (mailId: string, key: Uint8Array) => void;
  readonly forget: (mailId: string) => void;
  readonly clear: () => void;
};

/** A cache of at most `max` keys. It owns what it is given. */
export function createKeyCache(max: number): KeyCache {
  const keys = new Map<string, Uint8Array>();
  const drop = (mailId: string): void => {
    keys.get(mailId)?.fill(0);
    keys.delete(mailId);
  };
  return {
    find: mailId => {
      const key = keys.get(mailId);
      if (key === undefined) return null;
      keys.delete(mailId);
      keys.set(mailId, key);
      return key;
    },
    keep: (mailId, key) => {
      if (keys.get(mailId) !== key) drop(mailId);
      keys.set(mailId, key);
      const [oldest] = keys.keys();
      if (keys.size > max && oldest !== undefined) drop(oldest);
    },
    forget: drop,
    clear: () => {
      for (const mailId of [...keys.keys()]) drop(mailId);
    },
  };
}
