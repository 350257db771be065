// The web-platform globals that this package uses. Node and every browser provide them, but the
// isomorphic compiler settings include neither platform's types, so only these are declared here.

declare class TextEncoder {
  encode(input?: string): Uint8Array<ArrayBuffer>;
}

declare class TextDecoder {
  constructor(label?: string, options?: { fatal?: boolean; ignoreBOM?: boolean });
  decode(input?: ArrayBufferView | ArrayBuffer, options?: { stream?: boolean }): string;
}

type AbortSignal = {
  readonly aborted: boolean;
  throwIfAborted(): void;
};

type Blob = {
  readonly size: number;
  slice(start?: number, end?: number): Blob;
  arrayBuffer(): Promise<ArrayBuffer>;
};

declare class URL {
  constructor(url: string, base?: string);
  static canParse(url: string, base?: string): boolean;
  readonly hostname: string;
  readonly href: string;
}

declare const crypto: {
  getRandomValues<T extends Uint8Array>(array: T): T;
  readonly subtle: { digest(algorithm: 'SHA-256', data: Uint8Array<ArrayBuffer>): Promise<ArrayBuffer> };
};

type ReadableStreamDefaultReader<T> = {
  read(): Promise<{ done: boolean; value?: T }>;
  cancel(): Promise<void>;
};

declare class ReadableStream<T> {
  getReader(): ReadableStreamDefaultReader<T>;
}

declare class WritableStream<T> {
  abort(reason?: unknown): Promise<void>;
  getWriter(): { write(chunk: T): Promise<void> };
}

declare class TransformStream<I, O> {
  readonly readable: ReadableStream<O>;
  readonly writable: WritableStream<I>;
}

declare class AbortController {
  readonly signal: AbortSignal;
  abort(reason?: unknown): void;
}
