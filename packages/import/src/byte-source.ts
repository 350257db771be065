// Where a reader gets its bytes: a file in the browser, a file at the server, or bytes in memory. Readers ask for slices
// and never for the whole, so that a file of fifty gigabytes costs no more memory than one of fifty megabytes.

/** Bytes at offsets. `size` is in bytes and does not change while one reads. */
export type ByteSource = {
  readonly size: number;
  /**
   * The bytes from `offset` on, `length` of them or fewer where the file ends. Rejects when the device fails or the file
   * has changed. The caller may keep the result, and must not write into it.
   */
  read(offset: number, length: number): Promise<Uint8Array<ArrayBuffer>>;
};

/** A File or Blob of the browser, read by slices. */
export function sourceOfBlob(blob: Blob): ByteSource {
  return {
    size: blob.size,
    read: async (offset, length) => new Uint8Array(await blob.slice(offset, offset + length).arrayBuffer()),
  };
}

/** Bytes that are in memory already. */
export function sourceOfBytes(bytes: Uint8Array<ArrayBuffer>): ByteSource {
  return {
    size: bytes.length,
    read: (offset, length) => Promise.resolve(bytes.subarray(offset, offset + length)),
  };
}
