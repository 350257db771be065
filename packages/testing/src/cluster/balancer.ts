// A round-robin load balancer for HTTP and SMTP, without sticky sessions. If a node is gone, its
// requests and connections go to the next one, as do GET and HEAD requests whose node died before
// it responded, as with nginx. Any other request that a node received but did not answer gets 502
// and is never retried: it is unknown how far the node processed it.
import http, { type IncomingMessage, type ServerResponse } from 'node:http';
import net, { type AddressInfo, type Socket } from 'node:net';

export type Place = { readonly host: string; readonly httpPort: number; readonly smtpPort: number };

export type Balancer = {
  readonly httpPort: number;
  readonly smtpPort: number;
  /** Requests and connections whose first node was gone. */
  readonly passedOn: () => number;
  /** Requests that were lost with their node. */
  readonly broken: () => number;
  /** Requests that each node received, in the order of the nodes. */
  readonly taken: () => readonly number[];
  readonly open: () => Promise<void>;
  /** Closes all connections; `open` uses the same ports again. */
  readonly close: () => Promise<void>;
};

/** Hop-by-hop headers (RFC 9110 §7.6.1). */
const HOP_BY_HOP = new Set([
  'connection',
  'keep-alive',
  'proxy-connection',
  'te',
  'transfer-encoding',
  'upgrade',
]);

/** Marks the balancer's own 502 responses, so that tests can tell them from those of a node. */
export const BROKEN_OFF = 'x-broken-off';
const BAD_GATEWAY = '<html><body><h1>502 Bad Gateway</h1></body></html>';

const endToEnd = (headers: http.IncomingHttpHeaders): http.OutgoingHttpHeaders =>
  Object.fromEntries(Object.entries(headers).filter(([name]) => !HOP_BY_HOP.has(name)));

const listen = (server: net.Server, port: number): Promise<number> =>
  new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, '127.0.0.1', () => {
      server.off('error', reject);
      resolve((server.address() as AddressInfo).port);
    });
  });

type State = {
  readonly places: readonly Place[];
  turn: number;
  passedOn: number;
  broken: number;
  readonly taken: number[];
};

/**
 * An attempt to use a node. The next attempt uses its neighbor, because the turn changes with other
 * requests.
 */
type Attempt = { readonly index: number; readonly tries: number };

const firstAttempt = (state: State): Attempt => ({ index: state.turn++ % state.places.length, tries: 1 });

const nextAttempt = ({ places }: State, { index, tries }: Attempt): Attempt => ({
  index: (index + 1) % places.length,
  tries: tries + 1,
});

function placeOf({ places }: State, { index }: Attempt): Place {
  const place = places[index];
  if (place === undefined) throw new Error('There are no nodes');
  return place;
}

function startRequest(place: Place, incoming: IncomingMessage): http.ClientRequest {
  return http.request({
    host: place.host,
    port: place.httpPort,
    method: incoming.method,
    path: incoming.url,
    // One connection per request: a reused one could break before anything was read from it.
    agent: false,
    headers: {
      ...endToEnd(incoming.headers),
      'x-forwarded-for': incoming.socket.remoteAddress ?? '127.0.0.1',
      connection: 'close',
    },
  });
}

function passResponse(state: State, response: IncomingMessage, outgoing: ServerResponse): void {
  outgoing.writeHead(response.statusCode ?? 502, endToEnd(response.headers));
  // An event stream starts before its first event.
  outgoing.flushHeaders();
  response.pipe(outgoing);
  response.once('close', () => {
    if (response.complete) return;
    state.broken++;
    outgoing.destroy();
  });
}

function failResponse(state: State, outgoing: ServerResponse): void {
  if (outgoing.destroyed) return;
  state.broken++;
  if (outgoing.headersSent) outgoing.destroy();
  else
    outgoing
      .writeHead(502, { 'content-type': 'text/html', connection: 'close', [BROKEN_OFF]: 'true' })
      .end(BAD_GATEWAY);
}

function forwardRequest(
  state: State,
  incoming: IncomingMessage,
  outgoing: ServerResponse,
  attempt = firstAttempt(state),
): void {
  const request = startRequest(placeOf(state, attempt), incoming);
  let isConnected = false;
  request.once('socket', socket =>
    socket.once('connect', () => {
      isConnected = true;
      state.taken[attempt.index] = (state.taken[attempt.index] ?? 0) + 1;
      incoming.pipe(request);
    }),
  );
  request.once('response', response => passResponse(state, response, outgoing));
  request.on('error', () => {
    const isSafe = !isConnected || incoming.method === 'GET' || incoming.method === 'HEAD';
    const isOpen = !outgoing.headersSent && !outgoing.destroyed;
    if (isSafe && isOpen && attempt.tries < state.places.length) {
      state.passedOn++;
      forwardRequest(state, incoming, outgoing, nextAttempt(state, attempt));
    } else failResponse(state, outgoing);
  });
  outgoing.once('close', () => request.destroy());
}

function forwardConnection(state: State, client: Socket, attempt = firstAttempt(state)): void {
  const place = placeOf(state, attempt);
  const node = net.connect(place.smtpPort, place.host);
  let isConnected = false;
  node.once('connect', () => {
    isConnected = true;
    client.pipe(node).pipe(client);
  });
  node.on('error', () => undefined);
  node.once('close', () => {
    if (isConnected || attempt.tries >= state.places.length || client.destroyed) {
      client.destroySoon();
      return;
    }
    state.passedOn++;
    forwardConnection(state, client, nextAttempt(state, attempt));
  });
  client.once('close', () => node.destroy());
}

/** Prepares a balancer on two ports of the loopback address; call `open`. */
export function createBalancer(
  places: readonly Place[],
  ports: { readonly httpPort: number; readonly smtpPort: number },
): Balancer {
  const state: State = { places, turn: 0, passedOn: 0, broken: 0, taken: places.map(() => 0) };
  const sockets = new Set<Socket>();
  let servers: net.Server[] = [];
  const track = (socket: Socket): void => {
    sockets.add(socket);
    socket.on('error', () => undefined);
    socket.once('close', () => sockets.delete(socket));
  };
  return {
    ...ports,
    passedOn: () => state.passedOn,
    broken: () => state.broken,
    taken: () => [...state.taken],
    open: async () => {
      const web = http.createServer((incoming, outgoing) => forwardRequest(state, incoming, outgoing));
      // Timeouts are the nodes' responsibility.
      web.requestTimeout = 0;
      const mail = net.createServer(socket => forwardConnection(state, socket));
      servers = [web, mail];
      for (const server of servers) server.on('connection', track);
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
}
