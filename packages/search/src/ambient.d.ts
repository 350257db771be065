// The web-platform globals this room uses. Node and every browser have them, but the isomorphic compiler settings know
// neither platform, so they are declared here and nothing more.

declare class TextEncoder {
  encode(input?: string): Uint8Array<ArrayBuffer>;
}

declare class TextDecoder {
  decode(input?: ArrayBufferView | ArrayBuffer): string;
}
