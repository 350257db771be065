// What stands in front of several nodes: HTTP and SMTP, one after the other, bound to nobody. What finds its node gone goes to
// the next one, and so does a question (GET, HEAD) whose node ended before it answered, as with nginx. A change that a node has
// taken and not answered is answered with 502, and never given to another: nobody can know how far the first one came.
import http, { type IncomingMessage, type ServerResponse } from 'node:http';
import net, { type AddressInfo, type Socket } from 'node:net';

export type Place = { readonly host: string; readonly httpPort: number; readonly smtpPort: number };

export type Balancer = {
  readonly httpPort: number;
  readonly smtpPort: number;
  /** Requests and connections that found their first node gone. */
  readonly passedOn: () => number;
  /** Requests that were lost with their node. */
  readonly broken: () => number;
  /** Requests that each node took, in the order of the nodes. */
  readonly taken: () => readonly number[];
  readonly open: () => Promise<void>;
  /** Cuts everybody off; `open` takes the same ports again. */
  readonly close: () => Promise<void>;
};

/** Headers that belong to one connection (RFC 9110 §7.6.1). */
const OF_A_CONNECTION = new Set([
  'connection',
  'keep-alive',
  'proxy-connection',
  'te',
  'transfer-encoding',
  'upgrade',
]);

/** Tells an answer of the balancer's own from what a story made up. */
export const BROKEN_OFF = 'x-broken-off';
const BAD_GATEWAY = '<html><body><h1>502 Bad Gateway</h1></body></html>';

const passOn = (headers: http.IncomingHttpHeaders): http.OutgoingHttpHeaders =>
  Object.fromEntries(Object.entries(headers).filter(([name]) => !OF_A_CONNECTION.has(name)));

const listen = (server: net.Server, port: number): Promise<number> =>
  new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, '127.0.0.1', () => {
      server.off('error', reject);
      resolve((server.address() as AddressInfo).port);
    });
  });

/** Prepares a balancer at two ports of the loopback address; call `open`. */
export function createBalancer(
  places: readonly Place[],
  ports: { readonly httpPort: number; readonly smtpPort: number },
): Balancer {
  let turn = 0;
  let passedOn = 0;
  let broken = 0;
  const taken = places.map(() => 0);
  const sockets = new Set<Socket>();
  const next = (): number => turn++ % places.length;

  /** A further try goes to the neighbour of the node that was tried: others take turns meanwhile. */
  const forward = (incoming: IncomingMessage, outgoing: ServerResponse, index = next(), tries = 1): void => {
    const place = places[index];
    if (place === undefined) throw new Error('There are no nodes');
    const request = http.request({
      host: place.host,
      port: place.httpPort,
      method: incoming.method,
      path: incoming.url,
      // A connection for each request: one that was kept could break before anybody has read what was sent.
      agent: false,
      headers: {
        ...passOn(incoming.headers),
        'x-forwarded-for': incoming.socket.remoteAddress ?? '127.0.0.1',
        connection: 'close',
      },
    });
    let isConnected = false;
    request.once('socket', socket =>
      socket.once('connect', () => {
        isConnected = true;
        taken[index] = (taken[index] ?? 0) + 1;
        incoming.pipe(request);
      }),
    );
    request.once('response', response => {
      outgoing.writeHead(response.statusCode ?? 502, passOn(response.headers));
      // An event stream begins before its first event.
      outgoing.flushHeaders();
      response.pipe(outgoing);
      response.once('close', () => {
        if (response.complete) return;
        broken++;
        outgoing.destroy();
      });
    });
    request.on('error', () => {
      const isQuestion = incoming.method === 'GET' || incoming.method === 'HEAD';
      if (
        (!isConnected || isQuestion) &&
        !outgoing.headersSent &&
        !outgoing.destroyed &&
        tries < places.length
      ) {
        passedOn++;
        forward(incoming, outgoing, (index + 1) % places.length, tries + 1);
        return;
      }
      if (outgoing.destroyed) return;
      broken++;
      if (outgoing.headersSent) outgoing.destroy();
      else
        outgoing
          .writeHead(502, { 'content-type': 'text/html', connection: 'close', [BROKEN_OFF]: 'true' })
          .end(BAD_GATEWAY);
    });
    outgoing.once('close', () => request.destroy());
  };

  const connectOn = (client: Socket, index = next(), tries = 1): void => {
    const place = places[index];
    if (place === undefined) throw new Error('There are no nodes');
    const node = net.connect(place.smtpPort, place.host);
    let isConnected = false;
    node.once('connect', () => {
      isConnected = true;
      client.pipe(node).pipe(client);
    });
    node.on('error', () => undefined);
    node.once('close', () => {
      if (isConnected || tries >= places.length || client.destroyed) {
        client.destroySoon();
        return;
      }
      passedOn++;
      connectOn(client, (index + 1) % places.length, tries + 1);
    });
    client.once('close', () => node.destroy());
  };

  const keep = (socket: Socket): void => {
    sockets.add(socket);
    socket.on('error', () => undefined);
    socket.once('close', () => sockets.delete(socket));
  };
  let servers: net.Server[] = [];
  const balancer = {
    ...ports,
    passedOn: () => passedOn,
    broken: () => broken,
    taken: () => [...taken],
    open: async () => {
      const web = http.createServer((incoming, outgoing) => forward(incoming, outgoing));
      // As patient as the nodes, which know what is slow.
      web.requestTimeout = 0;
      const mail = net.createServer(socket => connectOn(socket));
      servers = [web, mail];
      for (const server of servers) server.on('connection', keep);
      await listen(web, ports.httpPort);
      await listen(mail, ports.smtpPort);
    },
    close: async () => {
      const closing = servers.map(server => new Promise(resolve => server.close(resolve)));
      servers = [];
      for (const socket of sockets) socket.destroy();
      await Promise.all(closing);
    },
  };
  return balancer;
}
