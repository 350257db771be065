// Web-platform globals used by this package. Node and every browser provide them, but the
// isomorphic compiler settings include neither platform, so only these are declared here.

declare class TextEncoder {
  encode(input?: string): Uint8Array<ArrayBuffer>;
}

declare class TextDecoder {
  decode(input?: ArrayBufferView | ArrayBuffer): string;
}
