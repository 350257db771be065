/**
 * Checks the bytes of a message for sequences that SMTP forbids. smtp-server ends DATA only at CR
 * LF . CR LF. Some other servers have also accepted LF . LF and similar sequences as the end, and
 * treated the bytes after it as commands ("SMTP smuggling"). A bare CR or LF is therefore refused,
 * as with Postfix's `smtpd_forbid_bare_newline = reject`, so that no two servers can disagree on
 * where the message ends. LF in BDAT is the exception: its octets are counted, so nothing can hide
 * in it, and it is converted to CR LF before any other code sees the message (receive.ts). Long
 * lines, 8-bit bytes and NUL are accepted. Undoing dot-stuffing first is safe: it removes dots only
 * after an LF, so it can neither create nor hide a bare CR or LF.
 */
const CR = 0x0d;
const LF = 0x0a;

export type LineCheck = {
  readonly see: (chunk: Uint8Array) => void;
  /** Whether the bytes seen so far contain a bare CR. */
  readonly hasBareCr: () => boolean;
  /** Number of bare LFs seen so far. */
  readonly countBareLf: () => number;
  /** Size of the header section so far in bytes, including its blank line. */
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
