// Keys by which the server knows a request again that is repeated because its answer was lost.

/** A fresh key: 32 random bytes as base64url, 43 characters. */
export const newRequestKey = (): string =>
  btoa(String.fromCharCode(...crypto.getRandomValues(new Uint8Array(32))))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .slice(0, -1);
