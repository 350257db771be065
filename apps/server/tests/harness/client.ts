/** The contract's typed client over fetch, with a cookie jar and an origin like a browser tab. */
import { api, type Call } from '@keyfold/contract';
import { type CallReply, type CallRequest, type Client, createClient } from '@keyfold/contract/client';

type StoredCookie = { readonly value: string; readonly path: string };

export type CookieJar = {
  readonly header: (path: string) => string | undefined;
  readonly store: (response: Response) => void;
  readonly get: (name: string) => string | undefined;
  readonly set: (name: string, value: string, path?: string) => void;
  readonly remove: (name: string) => void;
  readonly copy: () => CookieJar;
};

/** Creates a cookie jar that supports Path and removal. Tests use only one host. */
export function createCookieJar(initial: ReadonlyMap<string, StoredCookie> = new Map()): CookieJar {
  const cookies = new Map(initial);
  return {
    header: path => {
      const sent = [...cookies].filter(([, cookie]) => path === cookie.path || path.startsWith(cookie.path));
      return sent.length === 0 ? undefined : sent.map(([name, { value }]) => `${name}=${value}`).join('; ');
    },
    store: response => {
      for (const line of response.headers.getSetCookie()) {
        const [pair = '', ...attributes] = line.split(';').map(part => part.trim());
        const [name = '', value = ''] = [pair.slice(0, pair.indexOf('=')), pair.slice(pair.indexOf('=') + 1)];
        const find = (key: string) =>
          attributes.find(one => one.toLowerCase().startsWith(`${key}=`))?.slice(key.length + 1);
        const expires = find('expires');
        const isGone =
          find('max-age') === '0' || (expires !== undefined && Date.parse(expires) <= Date.now());
        if (isGone) cookies.delete(name);
        else cookies.set(name, { value, path: find('path') ?? '/' });
      }
    },
    get: name => cookies.get(name)?.value,
    set: (name, value, path = '/') => cookies.set(name, { value, path }),
    remove: name => cookies.delete(name),
    copy: () => createCookieJar(cookies),
  };
}

export type TestClient = Client<typeof api> & {
  readonly jar: CookieJar;
  /**
   * Sends a raw request with the cookies and the origin, for requests that the typed client cannot
   * express.
   */
  readonly fetch: (path: string, init?: RequestInit) => Promise<Response>;
};

export type ClientOptions = {
  readonly jar?: CookieJar;
  /** Sent with every request; null for a program other than a browser. */
  readonly origin?: string | null;
};

/** Creates a client of the app at a base URL. */
export function createTestClient(baseUrl: string, options: ClientOptions = {}): TestClient {
  const jar = options.jar ?? createCookieJar();
  const origin = options.origin === undefined ? baseUrl : options.origin;
  const send = async (path: string, init: RequestInit = {}): Promise<Response> => {
    const headers = new Headers(init.headers);
    const cookie = jar.header(path.split('?', 1)[0] ?? path);
    if (cookie !== undefined && !headers.has('cookie')) headers.set('cookie', cookie);
    if (origin !== null && !headers.has('origin')) headers.set('origin', origin);
    const response = await fetch(baseUrl + path, { redirect: 'manual', ...init, headers });
    jar.store(response);
    return response;
  };
  const toForm = (request: CallRequest): FormData => {
    const form = new FormData();
    for (const [name, value] of Object.entries(request.fields)) form.append(name, value);
    form.append('file', request.options.file as Blob, 'blob');
    return form;
  };
  const client = createClient(
    api,
    async (request): Promise<CallReply> => {
      const body = request.call.transport === 'upload' ? toForm(request) : request.body;
      const response = await send(request.path, {
        method: request.method,
        headers: request.headers,
        ...(body === undefined ? {} : { body }),
        ...(request.options.signal === undefined ? {} : { signal: request.options.signal as AbortSignal }),
      });
      const isBytes = response.ok && request.call.transport === 'download';
      const text = isBytes ? '' : await response.text();
      return {
        status: response.status,
        json: text.startsWith('{') ? JSON.parse(text) : undefined,
        retryAfter: response.headers.get('retry-after'),
        ...(isBytes ? { bytes: new Uint8Array(await response.arrayBuffer()) } : {}),
      };
    },
    refuseBadRows,
  );
  return { ...client, jar, fetch: send };
}

/** Clients tolerate a bad row; tests of the server do not. */
function refuseBadRows({ method, path }: Call, badRows: number): void {
  throw new Error(`${badRows} rows of ${method} ${path} do not parse`);
}
