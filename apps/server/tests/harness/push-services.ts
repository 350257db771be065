/**
 * Servers on the loopback address that implement the parts of Firebase Cloud Messaging and of
 * Apple's push service that Keyfold uses, and reject what those reject: an invalid signature, an
 * expired token, a missing header.
 */
import { generateKeyPairSync } from 'node:crypto';
import { createServer, type IncomingMessage } from 'node:http';
import {
  createSecureServer,
  type Http2SecureServer,
  type IncomingHttpHeaders,
  type ServerHttp2Session,
  type ServerHttp2Stream,
} from 'node:http2';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { jwtVerify } from 'jose';
import { generate } from 'selfsigned';
import type { ApnsConfig, FcmConfig } from '../../src/config/push.ts';

/** Response of a peer instead of accepting a message. */
export type PeerAnswer = {
  readonly status: number;
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
};

export type FcmPeer = {
  readonly config: FcmConfig;
  /** Service account in the form that Firebase issues. */
  readonly credentials: string;
  readonly taken: Record<string, unknown>[];
  /** Number of sign-ins. */
  signIns: number;
  /** Called for each message with its token; null accepts the message. */
  answer: (token: string) => PeerAnswer | null;
  signInAnswer: PeerAnswer | null;
  /** Makes the peer reject every bearer token issued so far. */
  readonly forgetBearers: () => void;
  readonly close: () => Promise<void>;
};

async function listen(server: ReturnType<typeof createServer>): Promise<string> {
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

const unregistered = (errorCode: string) => ({
  error: {
    code: 404,
    status: 'NOT_FOUND',
    details: [{ '@type': 'type.googleapis.com/google.firebase.fcm.v1.FcmError', errorCode }],
  },
});

/** FCM's response for an unregistered token. */
export const UNREGISTERED: PeerAnswer = { status: 404, body: unregistered('UNREGISTERED') };

export async function startFcmPeer(): Promise<FcmPeer> {
  const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
  const bearers = new Set<string>();
  const signIn = async (request: IncomingMessage): Promise<PeerAnswer> => {
    peer.signIns++;
    if (peer.signInAnswer !== null) return peer.signInAnswer;
    const form = new URLSearchParams(await text(request));
    if (form.get('grant_type') !== 'urn:ietf:params:oauth:grant-type:jwt-bearer') return { status: 400 };
    const { payload } = await jwtVerify(form.get('assertion') ?? '', publicKey, {
      algorithms: ['RS256'],
      audience: `${url}/token`,
      issuer: 'push@kf-test.iam.example',
      maxTokenAge: '1h',
    });
    if (payload.scope !== 'https://www.googleapis.com/auth/firebase.messaging') return { status: 400 };
    const bearer = `bearer-${peer.signIns}`;
    bearers.add(bearer);
    return { status: 200, body: { access_token: bearer, expires_in: 3599, token_type: 'Bearer' } };
  };
  const take = async (request: IncomingMessage): Promise<PeerAnswer> => {
    const bearer = request.headers.authorization?.replace(/^Bearer /, '') ?? '';
    if (!bearers.has(bearer)) return { status: 401, body: { error: { status: 'UNAUTHENTICATED' } } };
    const { message } = JSON.parse(await text(request)) as { message: Record<string, unknown> };
    const refused = peer.answer(String(message.token));
    if (refused !== null) return refused;
    peer.taken.push(message);
    return { status: 200, body: { name: `projects/kf-test/messages/${peer.taken.length}` } };
  };
  const server = createServer((request, response) => {
    const answering =
      request.url === '/token'
        ? signIn(request)
        : request.url === '/v1/projects/kf-test/messages:send'
          ? take(request)
          : Promise.resolve({ status: 404 } as PeerAnswer);
    void answering
      .catch((): PeerAnswer => ({ status: 400, body: { error: 'invalid_grant' } }))
      .then(({ status, body = {}, headers = {} }) =>
        response
          .writeHead(status, { 'content-type': 'application/json', ...headers })
          .end(JSON.stringify(body)),
      );
  });
  const url = await listen(server);
  const pem = privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();
  const account = {
    projectId: 'kf-test',
    clientEmail: 'push@kf-test.iam.example',
    privateKey: pem,
    tokenUri: `${url}/token`,
  };
  const peer: FcmPeer = {
    config: { ...account, apiBase: url },
    credentials: JSON.stringify({
      type: 'service_account',
      project_id: account.projectId,
      client_email: account.clientEmail,
      private_key: pem,
      token_uri: account.tokenUri,
    }),
    taken: [],
    signIns: 0,
    answer: () => null,
    signInAnswer: null,
    forgetBearers: () => bearers.clear(),
    close: () => {
      server.closeAllConnections();
      return new Promise(resolve => server.close(() => resolve()));
    },
  };
  return peer;
}

export type ApnsMessage = {
  readonly token: string;
  readonly headers: IncomingHttpHeaders;
  readonly payload: Record<string, unknown>;
};

export type ApnsPeer = {
  readonly config: ApnsConfig;
  /** Authority that issued the peer's certificate. */
  readonly ca: string;
  readonly taken: ApnsMessage[];
  /** Distinct provider tokens received. */
  readonly bearers: Set<string>;
  /** The peer's clock, in milliseconds since 1970. */
  now: () => number;
  /** Connections so far. */
  connections: number;
  answer: (token: string) => PeerAnswer | null;
  /** Sends GOAWAY on every connection. */
  readonly leave: () => void;
  readonly close: () => Promise<void>;
};

export async function startApnsPeer(): Promise<ApnsPeer> {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const made = await generate([{ name: 'commonName', value: 'localhost' }], {
    keySize: 2048,
    algorithm: 'sha256',
    extensions: [{ name: 'subjectAltName', altNames: [{ type: 2, value: 'localhost' }] }],
  });
  const server: Http2SecureServer = createSecureServer({ key: made.private, cert: made.cert });
  const sessions = new Set<ServerHttp2Session>();
  server.on('session', session => {
    peer.connections++;
    sessions.add(session);
    session.on('close', () => sessions.delete(session));
    session.on('error', () => undefined);
  });
  const judge = async (stream: ServerHttp2Stream, headers: IncomingHttpHeaders): Promise<PeerAnswer> => {
    const bearer = headers.authorization?.replace(/^bearer /, '') ?? '';
    try {
      const { protectedHeader } = await jwtVerify(bearer, publicKey, {
        algorithms: ['ES256'],
        issuer: 'TEAM123456',
        maxTokenAge: '1h',
        currentDate: new Date(peer.now()),
      });
      if (protectedHeader.kid !== 'KEY1234567') throw new Error('another key');
    } catch {
      return { status: 403, body: { reason: 'InvalidProviderToken' } };
    }
    peer.bearers.add(bearer);
    if (headers['apns-topic'] !== 'test.keyfold.app')
      return { status: 400, body: { reason: 'TopicDisallowed' } };
    const token = /^\/3\/device\/([0-9a-f]{64,200})$/.exec(String(headers[':path']))?.[1];
    if (token === undefined) return { status: 400, body: { reason: 'BadDeviceToken' } };
    const payload = JSON.parse(await text(stream)) as Record<string, unknown>;
    const refused = peer.answer(token);
    if (refused !== null) return refused;
    peer.taken.push({ token, headers, payload });
    return { status: 200 };
  };
  server.on('stream', (stream: ServerHttp2Stream, headers: IncomingHttpHeaders) => {
    stream.on('error', () => undefined);
    judge(stream, headers)
      .then(({ status, body, headers: more = {} }) => {
        if (stream.destroyed) return;
        stream.respond({ ':status': status, ...more });
        stream.end(body === undefined ? '' : JSON.stringify(body));
      })
      .catch(() => stream.close());
  });
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const peer: ApnsPeer = {
    config: {
      key: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
      keyId: 'KEY1234567',
      teamId: 'TEAM123456',
      topic: 'test.keyfold.app',
      apiBase: `https://localhost:${port}`,
    },
    ca: made.cert,
    taken: [],
    bearers: new Set(),
    now: Date.now,
    connections: 0,
    answer: () => null,
    leave: () => {
      for (const session of sessions) session.goaway();
    },
    close: async () => {
      for (const session of sessions) session.destroy();
      await new Promise<void>(resolve => server.close(() => resolve()));
    },
  };
  return peer;
}
