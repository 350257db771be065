// The few web-platform globals this package may use. Node and every browser have them, but the
// isomorphic compiler settings know neither platform. Only these are declared, so a stray
// `document` or `Buffer` still fails to compile.

declare class TextEncoder {
  encode(input?: string): Uint8Array<ArrayBuffer>;
}

declare class TextDecoder {
  constructor(label?: string, options?: { fatal?: boolean; ignoreBOM?: boolean });
  decode(input?: ArrayBufferView | ArrayBuffer): string;
}

declare class URL {
  constructor(url: string, base?: string);
  static canParse(url: string, base?: string): boolean;
  readonly hostname: string;
  readonly href: string;
  readonly pathname: string;
  readonly protocol: string;
  readonly searchParams: { get(name: string): string | null };
}

declare const crypto: {
  getRandomValues<T extends Uint8Array>(array: T): T;
};
