// Replaces iconv-lite in the bundles. The reader of compound files imports it but never calls it
// here, because packages/mail decodes all text. The real library adds half a megabyte of tables and
// needs Node's Buffer.

export function decode(): never {
  throw new Error('Texts are decoded elsewhere');
}
