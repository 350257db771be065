/** Hashes of the key log as text: hexadecimal where they are keys of a map, base64 where they go out. */

export const hexOf = (bytes: Uint8Array): string => Buffer.from(bytes).toString('hex');

export const base64 = (bytes: Uint8Array): string => Buffer.from(bytes).toString('base64');
