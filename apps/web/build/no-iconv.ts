// Stands in the bundles for iconv-lite, which the reader of compound files names and never asks here: texts are decoded by
// packages/mail. The real one brings half a megabyte of tables and needs Node's Buffer.

export function decode(): never {
  throw new Error('Texts are decoded elsewhere');
}
