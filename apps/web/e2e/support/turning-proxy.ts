// Something between browser and product that one can turn: it passes everything on, until it is told to change what comes back
// from some address. For stories in which a server, or whoever stands before it, becomes hostile.
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';

/** What comes in place of something, with these headers and no policy. */
type Bare = {
  readonly text: string;
  readonly headers: Readonly<Record<string, string>>;
};
/** The text that comes instead, under the headers that came, or bare; null for what came. */
type Change = (path: string, text: string) => string | Bare | null;

export type TurningProxy = {
  readonly baseUrl: string;
  /** From now on; null passes everything on again. */
  readonly turn: (change: Change | null) => void;
  readonly close: () => Promise<void>;
};

/** Headers of the connection itself, and those that a changed body makes false. */
const dropped = new Set([
  'connection',
  'keep-alive',
  'transfer-encoding',
  'content-encoding',
  'content-length',
]);

const bodyOf = async (request: IncomingMessage): Promise<Buffer<ArrayBuffer>> =>
  Buffer.concat(await request.toArray());

/** Starts it before the product at `origin`. */
export async function startTurningProxy(origin: string): Promise<TurningProxy> {
  let change: Change | null = null;
  const server = createServer(async (request, response) => {
    const path = request.url ?? '/';
    const headers = new Headers();
    for (const [name, value] of Object.entries(request.headers))
      if (value !== undefined && !dropped.has(name) && name !== 'host') headers.set(name, String(value));
    // The product knows one address of its own.
    if (headers.has('origin')) headers.set('origin', origin);
    headers.set('accept-encoding', 'identity');
    // Whoever changes a page does not say that it is the old one.
    headers.delete('if-none-match');
    headers.delete('if-modified-since');
    // A stream of events that nobody hears any more is one of the few that somebody may have.
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
