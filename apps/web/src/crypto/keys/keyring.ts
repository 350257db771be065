// Opens messages with the keys in use, and those that are wrapped for earlier ones with these. Which keys a wrap is for it
// says itself; a wrong word opens nothing.
import type { Opener, ReceivedWrap } from '@keyfold/crypto/opener';

/** An opener that also knows earlier keys, by their fingerprints. Closing it closes them all. */
export function createKeyring(inUse: Opener, retired: ReadonlyMap<string, Opener>): Opener {
  const openerFor = ({ key_used: keyId }: ReceivedWrap): Opener => retired.get(keyId ?? '') ?? inUse;
  return {
    open: message => openerFor(message).open(message),
    openKey: (wrap, binding) => openerFor(wrap).openKey(wrap, binding),
    openSummary: row => openerFor(row).openSummary(row),
    wrapForSelf: (messageKey, binding) => inUse.wrapForSelf(messageKey, binding),
    close: () => {
      for (const one of [inUse, ...retired.values()]) one.close();
    },
  };
}
