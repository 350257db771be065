// Where a reader gets its bytes: a file in the browser, a file on the server, or bytes in memory.
// Readers request slices and never the whole, so a file of fifty gigabytes uses no more memory than
// one of fifty megabytes.

/** Bytes at offsets. `size` is in bytes and does not change during reading. */
export type ByteSource = {
  readonly size: number;
  /**
   * Returns the bytes from `offset`: `length` of them, or fewer at the end of the file. Rejects
   * when the device fails or the file has changed. The caller may keep the result but must not
   * write to it.
   */
  read(offset: number, length: number): Promise<Uint8Array<ArrayBuffer>>;
};

/** Returns a source that reads a browser File or Blob in slices. */
export function sourceOfBlob(blob: Blob): ByteSource {
  return {
    size: blob.size,
    read: async (offset, length) => new Uint8Array(await blob.slice(offset, offset + length).arrayBuffer()),
  };
}

/** Returns a source of bytes already in memory. */
export function sourceOfBytes(bytes: Uint8Array<ArrayBuffer>): ByteSource {
  return {
    size: bytes.length,
    read: (offset, length) => Promise.resolve(bytes.subarray(offset, offset + length)),
  };
}
