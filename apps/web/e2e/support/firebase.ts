// A minimal Firebase Cloud Messaging server for tests: accepts and records everything the server
// sends. Its refusals are tested with the server (apps/server/tests/harness/push-services.ts).
import { generateKeyPairSync } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { json } from 'node:stream/consumers';

type Message = {
  readonly token: string;
  readonly data: Readonly<Record<string, string>>;
  readonly android: { readonly notification?: Readonly<Record<string, unknown>> };
};

export type Firebase = {
  /** The server's configuration for it. */
  readonly env: Readonly<Record<string, string>>;
  readonly taken: Message[];
  readonly close: () => void;
};

/** Starts it on this machine. */
export async function startFirebase(): Promise<Firebase> {
  const taken: Message[] = [];
  const server = createServer(async (request, response) => {
    const isSignIn = request.url === '/token';
    if (!isSignIn) taken.push(((await json(request)) as { message: Message }).message);
    response
      .writeHead(200, { 'content-type': 'application/json' })
      .end(JSON.stringify(isSignIn ? { access_token: 'bearer', expires_in: 3_599 } : { name: 'taken' }));
  });
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
  return {
    env: {
      FCM_API_BASE: url,
      FCM_CREDENTIALS: JSON.stringify({
        type: 'service_account',
        project_id: 'story',
        client_email: 'push@story.example',
        private_key: privateKey.export({ type: 'pkcs8', format: 'pem' }),
        token_uri: `${url}/token`,
      }),
    },
    taken,
    close: () => {
      server.close();
      server.closeAllConnections();
    },
  };
}
