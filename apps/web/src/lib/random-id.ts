// Random ids for objects of this page, also where crypto.randomUUID is missing: browsers offer it
// only in secure contexts, and an operator may open a fresh installation over plain HTTP.

/** 32 hex digits, 128 random bits. */
export const randomId = (): string =>
  [...crypto.getRandomValues(new Uint8Array(16))].map(byte => byte.toString(16).padStart(2, '0')).join('');
