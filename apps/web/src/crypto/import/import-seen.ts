// Tracks the messages that a run has seen, so that a different message with the same Message-ID is
// not dropped as a duplicate. Stores digests of names and texts; beyond the limit the oldest are
// evicted.

/** Maximum number of tracked messages; they take some tens of megabytes. */
const REMEMBERED_MAX = 200_000;

/** The first half of a SHA-256, one character per byte: the smallest key that a map can hold. */
const shortOf = (digest: Uint8Array): string => String.fromCharCode(...digest.subarray(0, 16));

/** `other`: a different message of this run has the same Message-ID. */
type Look = 'new' | 'same' | 'other';

export type MailDigests = {
  readonly name: Uint8Array;
  readonly text: Uint8Array;
};

type BroughtBefore = {
  /**
   * Classifies a message by the SHA-256 of its name and of its text, and records it; `isKnown` is
   * true when the mailbox has a message of that name.
   */
  look: (mail: MailDigests, isKnown: boolean) => Look;
};

/** Creates the record of one run. */
export function createBroughtBefore(max = REMEMBERED_MAX): BroughtBefore {
  const texts = new Map<string, string>();
  return {
    look: (mail, isKnown) => {
      const [name, mine] = [shortOf(mail.name), shortOf(mail.text)];
      const first = texts.get(name);
      if (first !== undefined) return first === mine ? 'same' : 'other';
      texts.set(name, mine);
      if (texts.size > max) {
        const oldest = texts.keys().next();
        if (oldest.done !== true) texts.delete(oldest.value);
      }
      return isKnown ? 'same' : 'new';
    },
  };
}
