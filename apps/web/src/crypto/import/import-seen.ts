// What a run saw already, so that another mail under the same name does not go missing as a repetition. Digests stand for
// names and texts, and of very many mails the oldest are forgotten.

/** Mails that are remembered: some tens of megabytes. */
const REMEMBERED_MAX = 200_000;

/** The first half of a SHA-256, one character a byte: the smallest that a map can keep. */
const shortOf = (digest: Uint8Array): string => String.fromCharCode(...digest.subarray(0, 16));

/** `other`: a mail of this run has the same name and another text. */
type Look = 'new' | 'same' | 'other';

export type MailDigests = {
  readonly name: Uint8Array;
  readonly text: Uint8Array;
};

type BroughtBefore = {
  /**
   * What a mail is by the SHA-256 of its name and of its text, and remembers it; `isKnown` when the mailbox has one of that
   * name.
   */
  look: (mail: MailDigests, isKnown: boolean) => Look;
};

/** The memory of one run. */
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
