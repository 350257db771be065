// Something between browser and product that one can turn: it passes everything on, until it is told to change what comes back
// from some address. For stories in which a server, or whoever stands before it, becomes hostile.
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';

/** The text that comes instead; null for what came. */
type Change = (path: string, text: string) => string | null;

export interface TurningProxy {
  readonly baseUrl: string;
  /** From now on; null passes everything on again. */
  readonly turn: (change: Change | null) => void;
  readonly close: () => Promise<void>;
}

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
    const hasBody = request.method !== 'GET' && request.method !== 'HEAD';
    try {
      const answer = await fetch(origin + path, {
        method: request.method ?? 'GET',
        headers,
        redirect: 'manual',
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
      response.end(changed ?? bytes);
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
