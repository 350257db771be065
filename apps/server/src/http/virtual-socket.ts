/**
 * Two ends of a connection in memory. One end passes for a connection of a client with the app's
 * own HTTP server, so that its limits and timeouts apply to it: it has an address, counts its
 * bytes, and notices when nobody reads.
 */
import { Duplex } from 'node:stream';

/** Bytes that pass at a time, so that a large response waits for its reader. */
const SLICE_BYTES = 16 * 1024;

export type Peer = { readonly address: string; readonly family: string; readonly port: number };

export class VirtualSocket extends Duplex {
  /** As on sockets of TLS. */
  readonly encrypted = true;
  readonly remoteAddress: string;
  readonly remoteFamily: string;
  readonly remotePort: number;
  bytesRead = 0;
  bytesWritten = 0;
  #other: VirtualSocket | null = null;
  /** Lets the other end write on, once this one has read. */
  #resume: (() => void) | null = null;
  #isKept = false;
  #timeoutMs = 0;
  #timer: NodeJS.Timeout | undefined;

  constructor(peer: Peer) {
    super({ allowHalfOpen: true });
    this.remoteAddress = peer.address;
    this.remoteFamily = peer.family;
    this.remotePort = peer.port;
  }

  static pair(peer: Peer): readonly [VirtualSocket, VirtualSocket] {
    const ends = [new VirtualSocket(peer), new VirtualSocket(peer)] as const;
    ends[0].#other = ends[1];
    ends[1].#other = ends[0];
    return ends;
  }

  override _read(): void {
    const resume = this.#resume;
    this.#resume = null;
    resume?.();
  }

  override _write(chunk: Uint8Array, _encoding: BufferEncoding, done: () => void): void {
    const passOn = (from: number): void => {
      const other = this.#other;
      if (other === null || other.destroyed || from >= chunk.length) {
        done();
        return;
      }
      const slice = chunk.subarray(from, from + SLICE_BYTES);
      other.bytesRead += slice.length;
      this.bytesWritten += slice.length;
      other.#touch();
      this.#touch();
      const next = () => passOn(from + slice.length);
      if (other.push(slice)) process.nextTick(next);
      else other.#resume = next;
    };
    passOn(0);
  }

  override _final(done: () => void): void {
    this.#other?.push(null);
    if (!this.#isKept) done();
  }

  /** Stays open after its last byte, and after its other end, until it is destroyed itself. */
  keepOpen(): void {
    this.#isKept = true;
  }

  override _destroy(error: Error | null, done: (error: Error | null) => void): void {
    clearTimeout(this.#timer);
    const other = this.#other;
    this.#other = null;
    if (other !== null && !other.destroyed && !other.#isKept) process.nextTick(() => other.destroy());
    done(error);
  }

  /** Emits `timeout` after this time without traffic; 0 never. */
  setTimeout(timeoutMs: number, listener?: () => void): this {
    this.#timeoutMs = timeoutMs;
    if (listener !== undefined) this.once('timeout', listener);
    this.#touch();
    return this;
  }

  #touch(): void {
    clearTimeout(this.#timer);
    if (this.#timeoutMs === 0 || this.destroyed) return;
    this.#timer = setTimeout(() => this.emit('timeout'), this.#timeoutMs).unref();
  }

  setNoDelay(): this {
    return this;
  }
  setKeepAlive(): this {
    return this;
  }
  ref(): this {
    return this;
  }
  unref(): this {
    return this;
  }
  destroySoon(): void {
    if (this.writableFinished) this.destroy();
    else {
      this.once('finish', () => this.destroy());
      this.end();
    }
  }
}
