/**
 * Watches the bytes of a message for what SMTP forbids in it. smtp-server ends DATA at CR LF . CR LF alone; other
 * servers on the way have also taken LF . LF and the like for the end, and what followed for commands ("SMTP
 * smuggling"). So a CR or LF on its own is refused, as with Postfix's `smtpd_forbid_bare_newline = reject`: then no two
 * servers can disagree on where this message ends. An LF in BDAT is the exception: its octets are counted, so nothing can
 * hide in it, and it becomes CR LF before anything else sees the message (receive.ts). Long lines, 8-bit bytes and NUL pass as they are. Undoing dot-stuffing
 * first is safe: it removes dots after an LF only, and so can neither make nor hide a lone CR or LF.
 */
const CR = 0x0d;
const LF = 0x0a;

export type LineCheck = {
  readonly see: (chunk: Uint8Array) => void;
  /** Whether a CR stood alone in what was seen. */
  readonly hasBareCr: () => boolean;
  /** How many LFs stood alone. */
  readonly countBareLf: () => number;
  /** Bytes of the header section so far, its blank line included. */
  readonly headerSizeBytes: () => number;
};

export function createLineCheck(): LineCheck {
  let isBareCr = false;
  let bareLfCount = 0;
  let isAfterCr = false;
  let lineBytes = 0;
  let seenBytes = 0;
  let headerBytes = -1;
  return {
    see: chunk => {
      for (let index = 0; index < chunk.length; index++) {
        const byte = chunk[index];
        if (byte === LF) {
          if (!isAfterCr) bareLfCount++;
          isAfterCr = false;
          if (lineBytes === 0 && headerBytes < 0) headerBytes = seenBytes + index + 1;
          lineBytes = 0;
          continue;
        }
        if (isAfterCr) isBareCr = true;
        isAfterCr = byte === CR;
        if (!isAfterCr) lineBytes++;
      }
      seenBytes += chunk.length;
    },
    hasBareCr: () => isBareCr || isAfterCr,
    countBareLf: () => bareLfCount,
    headerSizeBytes: () => (headerBytes < 0 ? seenBytes : headerBytes),
  };
}
