// The web-platform globals this room uses. Node and every browser have them, but the isomorphic compiler settings know
// neither platform, so they are declared here and nothing more.

declare class TextEncoder {
  encode(input?: string): Uint8Array<ArrayBuffer>;
}

declare class TextDecoder {
  constructor(label?: string, options?: { fatal?: boolean; ignoreBOM?: boolean });
  decode(input?: ArrayBufferView | ArrayBuffer, options?: { stream?: boolean }): string;
}

interface AbortSignal {
  readonly aborted: boolean;
  throwIfAborted(): void;
}

interface Blob {
  readonly size: number;
  slice(start?: number, end?: number): Blob;
  arrayBuffer(): Promise<ArrayBuffer>;
}

declare class URL {
  constructor(url: string, base?: string);
  readonly hostname: string;
}

declare const crypto: {
  getRandomValues<T extends Uint8Array>(array: T): T;
};
