// A switchable proxy between browser and product: it passes everything through until it is
// configured to change the responses of some address. For tests in which a server, or an attacker
// in front of it, becomes hostile.
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A replacement response with these headers and no policy. */
type Bare = {
  readonly text: string;
  readonly headers: Readonly<Record<string, string>>;
};
/** Returns the replacement text, under the original headers or bare; null keeps the response. */
type Change = (path: string, text: string) => string | Bare | null;

export type TurningProxy = {
  readonly baseUrl: string;
  /** Takes effect from now on; null passes everything through again. */
  readonly turn: (change: Change | null) => void;
  readonly close: () => Promise<void>;
};

/** Hop-by-hop headers, and those that a changed body invalidates. */
const dropped = new Set([
  'connection',
  'keep-alive',
  'transfer-encoding',
  'content-encoding',
  'content-length',
]);

const bodyOf = async (request: IncomingMessage): Promise<Buffer<ArrayBuffer>> =>
  Buffer.concat(await request.toArray());

/** Starts the proxy in front of the product at `origin`. */
export async function startTurningProxy(origin: string): Promise<TurningProxy> {
  let change: Change | null = null;
  const server = createServer(async (request, response) => {
    const path = request.url ?? '/';
    const headers = new Headers();
    for (const [name, value] of Object.entries(request.headers))
      if (value !== undefined && !dropped.has(name) && name !== 'host') headers.set(name, String(value));
    // The product accepts only its own origin.
    if (headers.has('origin')) headers.set('origin', origin);
    headers.set('accept-encoding', 'identity');
    // A proxy that changes a page must not let the product answer that it is unmodified.
    headers.delete('if-none-match');
    headers.delete('if-modified-since');
    // An event stream that the browser has closed still counts toward the user's small limit, so it
    // is aborted.
    const heard = new AbortController();
    response.once('close', () => heard.abort());
    const hasBody = request.method !== 'GET' && request.method !== 'HEAD';
    try {
      const answer = await fetch(origin + path, {
        method: request.method ?? 'GET',
        headers,
        redirect: 'manual',
        signal: heard.signal,
        ...(hasBody ? { body: await bodyOf(request) } : {}),
      });
      for (const [name, value] of answer.headers)
        if (!dropped.has(name) && name !== 'set-cookie') response.setHeader(name, value);
      response.setHeader('set-cookie', answer.headers.getSetCookie());
      response.statusCode = answer.status;
      if ((answer.headers.get('content-type') ?? '').startsWith('text/event-stream')) {
        response.flushHeaders();
        for await (const part of answer.body ?? []) response.write(part);
        response.end();
        return;
      }
      const bytes = Buffer.from(await answer.arrayBuffer());
      const changed = change?.(path.split('?', 1)[0] ?? '/', bytes.toString('utf8')) ?? null;
      if (changed === null || typeof changed === 'string') {
        response.end(changed ?? bytes);
        return;
      }
      for (const name of response.getHeaderNames()) if (name !== 'set-cookie') response.removeHeader(name);
      for (const [name, value] of Object.entries(changed.headers)) response.setHeader(name, value);
      response.end(changed.text);
    } catch {
      response.destroy();
    }
  });
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
  return {
    baseUrl: `http://localhost:${(server.address() as AddressInfo).port}`,
    turn: next => {
      change = next;
    },
    close: async () => {
      server.closeAllConnections();
      await new Promise(resolve => server.close(resolve));
    },
  };
}
