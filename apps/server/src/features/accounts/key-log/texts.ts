/** Text encodings of key log hashes: hexadecimal as map keys, base64 in responses. */

export const hexOf = (bytes: Uint8Array): string => Buffer.from(bytes).toString('hex');

export const base64 = (bytes: Uint8Array): string => Buffer.from(bytes).toString('base64');
