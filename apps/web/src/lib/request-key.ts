// Idempotency keys, by which the server recognizes a request that is repeated because its response
// was lost.

/** Returns a new key: 32 random bytes as base64url, 43 characters. */
export const newRequestKey = (): string =>
  btoa(String.fromCharCode(...crypto.getRandomValues(new Uint8Array(32))))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .slice(0, -1);
