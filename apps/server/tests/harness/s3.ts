/**
 * A small S3 server for tests: objects, ranges, lists, multipart uploads and versions in memory, in
 * one bucket. It verifies the SigV4 signature of every request with its own implementation, rejects
 * parts that are too small, and stores an object only when its upload is completed with the correct
 * tags.
 */
import { createHash, createHmac, randomUUID, timingSafeEqual } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import type { S3Options } from '../../src/adapters/s3-bucket.ts';
import { createS3Objects } from './s3-versions.ts';

/**
 * Faults: `gone` closes connections, `failing` answers 500 and `busy` 503, `mute` does not answer,
 * `half` cuts an answer in the middle, `full` accepts no more data, `guarded` denies access to
 * versions and `simple` does not support them.
 */
export type S3Fault = 'gone' | 'failing' | 'busy' | 'mute' | 'half' | 'full' | 'guarded' | 'simple';

export type S3Server = {
  readonly options: S3Options;
  /** Applies a fault to all requests from now on, or to the next few; null removes it. */
  readonly spoil: (fault: S3Fault | null, times?: number) => void;
  /** Turns versioning on or off. It is off at first. */
  readonly keepVersions: (isKept: boolean) => void;
  /**
   * Acts like a lifecycle rule: removes all versions except the newest and keeps the delete
   * markers.
   */
  readonly expireVersions: () => void;
  /** Returns the number of versions and delete markers. */
  readonly versionCount: () => number;
  /** Returns the names of the existing objects. */
  readonly keys: () => string[];
  /** Returns the bytes of an object, or undefined when it does not exist. */
  readonly object: (key: string) => Buffer | undefined;
  /** Replaces the bytes of an object, as anyone with access to the bucket can. */
  readonly exchange: (key: string, bytes: Buffer) => void;
  /** Makes objects older, as shown in lists. */
  readonly age: (byMs: number) => void;
  /** Returns the number of multipart uploads that were neither completed nor aborted. */
  readonly openUploads: () => number;
  readonly close: () => Promise<void>;
};

const PART_MIN_BYTES = 5 * 1024 * 1024;
const BUCKET = 'keyfold-test';
const ACCESS_KEY = 'test-access';
const SECRET_KEY = 'test-secret';

const FAILURES = {
  failing: [500, 'InternalError'],
  busy: [503, 'SlowDown'],
  full: [507, 'XMinioStorageFull'],
  guarded: [403, 'AccessDenied'],
  simple: [501, 'NotImplemented'],
} as const;

/** Whether a request fails because of the fault. */
function fails(fault: S3Fault | null, { method, url = '' }: IncomingMessage): fault is keyof typeof FAILURES {
  if (fault === 'full') return method === 'PUT';
  if (fault === 'guarded' || fault === 'simple') return /[?&]version/.test(url);
  return fault === 'failing' || fault === 'busy';
}

const hmac = (key: string | Buffer, text: string): Buffer => createHmac('sha256', key).update(text).digest();
const hashHex = (text: string | Buffer): string => createHash('sha256').update(text).digest('hex');
const etagOf = (bytes: Buffer): string => `"${createHash('md5').update(bytes).digest('hex')}"`;

const encode = (text: string): string =>
  encodeURIComponent(text).replace(/[!'()*]/g, char => `%${char.charCodeAt(0).toString(16).toUpperCase()}`);

/** Whether a request has a valid signature for the secret key (AWS Signature Version 4). */
function isSigned(request: IncomingMessage, url: URL): boolean {
  const header = request.headers.authorization ?? '';
  const found =
    /^AWS4-HMAC-SHA256 Credential=([^/]+)\/(\d{8})\/([^/]+)\/s3\/aws4_request, ?SignedHeaders=([^,]+), ?Signature=([0-9a-f]{64})$/.exec(
      header,
    );
  if (found === null) return false;
  const [, accessKey = '', date = '', region = '', signedHeaders = '', signature = ''] = found;
  const stamp = String(request.headers['x-amz-date']);
  const names = signedHeaders.split(';');
  if (accessKey !== ACCESS_KEY || !stamp.startsWith(date) || !names.includes('host')) return false;
  const query = [...url.searchParams]
    .map(([name, value]) => `${encode(name)}=${encode(value)}`)
    .sort()
    .join('&');
  const canonical = [
    request.method,
    url.pathname,
    query,
    ...names.map(name => `${name}:${String(request.headers[name]).trim()}`),
    '',
    signedHeaders,
    String(request.headers['x-amz-content-sha256']),
  ].join('\n');
  const scope = `${date}/${region}/s3/aws4_request`;
  const key = hmac(hmac(hmac(hmac(`AWS4${SECRET_KEY}`, date), region), 's3'), 'aws4_request');
  const expected = hmac(key, ['AWS4-HMAC-SHA256', stamp, scope, hashHex(canonical)].join('\n'));
  return timingSafeEqual(expected, Buffer.from(signature, 'hex'));
}

type Answer = { status: number; headers?: Record<string, string>; body?: string | Buffer };

const failure = (status: number, code: string): Answer => ({
  status,
  headers: { 'content-type': 'application/xml' },
  body: `<?xml version="1.0"?><Error><Code>${code}</Code><Message>${code}</Message></Error>`,
});
const xml = (body: string): Answer => ({
  status: 200,
  headers: { 'content-type': 'application/xml' },
  body: `<?xml version="1.0"?>${body}`,
});

/** Starts the server on a free port, on the loopback address by default. */
export async function startS3Server(host = '127.0.0.1'): Promise<S3Server> {
  const objects = createS3Objects();
  const uploads = new Map<string, Map<number, Buffer>>();
  const writtenAt = new Map<string, number>();
  const store = (key: string, bytes: Buffer): void => {
    objects.put(key, bytes);
    writtenAt.set(key, Date.now());
  };

  /** Returns a page of names in order; the token is the last name returned. */
  const list = (query: URLSearchParams): Answer => {
    const [prefix, after] = [query.get('prefix') ?? '', query.get('continuation-token') ?? ''];
    const left = objects
      .keys()
      .filter(key => key.startsWith(prefix) && key > after)
      .sort();
    const told = left.slice(0, Number(query.get('max-keys')));
    const items = told.map(
      key =>
        `<Contents><Key>${key}</Key><LastModified>${new Date(writtenAt.get(key) ?? 0).toISOString()}</LastModified><Size>${objects.get(key)?.length}</Size></Contents>`,
    );
    const next =
      told.length < left.length
        ? `<IsTruncated>true</IsTruncated><NextContinuationToken>${told.at(-1)}</NextContinuationToken>`
        : '<IsTruncated>false</IsTruncated>';
    return xml(`<ListBucketResult>${next}${items.join('')}</ListBucketResult>`);
  };

  const read = (bytes: Buffer, range: string | undefined): Answer => {
    const found = /^bytes=(\d+)-(\d*)$/.exec(range ?? '');
    if (found === null) return { status: 200, body: bytes, headers: { etag: etagOf(bytes) } };
    const [start, end] = [Number(found[1]), Math.min(Number(found[2] || bytes.length - 1), bytes.length - 1)];
    if (start > end) return failure(416, 'InvalidRange');
    return {
      status: 206,
      body: bytes.subarray(start, end + 1),
      headers: { 'content-range': `bytes ${start}-${end}/${bytes.length}` },
    };
  };

  const complete = (key: string, uploadId: string, wanted: string): Answer => {
    const parts = uploads.get(uploadId);
    if (parts === undefined) return failure(404, 'NoSuchUpload');
    const listed = [...wanted.matchAll(/<PartNumber>(\d+)<\/PartNumber>\s*<ETag>([^<]*)<\/ETag>/g)];
    const chosen = listed.map(([, number, etag = '']) => ({ bytes: parts.get(Number(number)), etag }));
    const isRight = chosen.every(
      ({ bytes, etag }) => bytes !== undefined && etagOf(bytes).includes(etag.replace(/&quot;|"/g, '')),
    );
    if (!isRight || chosen.length === 0) return failure(400, 'InvalidPart');
    if (chosen.slice(0, -1).some(({ bytes }) => (bytes?.length ?? 0) < PART_MIN_BYTES))
      return failure(400, 'EntityTooSmall');
    const whole = Buffer.concat(chosen.map(({ bytes }) => bytes ?? Buffer.alloc(0)));
    uploads.delete(uploadId);
    store(key, whole);
    return xml(
      `<CompleteMultipartUploadResult><ETag>${etagOf(whole)}</ETag></CompleteMultipartUploadResult>`,
    );
  };

  const answer = async (request: IncomingMessage): Promise<Answer> => {
    const url = new URL(request.url ?? '/', `http://${request.headers.host}`);
    const body = await buffer(request);
    if (!isSigned(request, url)) return failure(403, 'SignatureDoesNotMatch');
    const [, bucket, ...rest] = url.pathname.split('/');
    const key = decodeURIComponent(rest.join('/'));
    if (bucket !== BUCKET) return failure(404, 'NoSuchBucket');
    if (url.searchParams.has('versioning')) return xml(objects.status());
    if (url.searchParams.has('versions')) return xml(objects.list(url.searchParams.get('prefix') ?? ''));
    if (key === '') return url.searchParams.has('list-type') ? list(url.searchParams) : { status: 200 };
    const uploadId = url.searchParams.get('uploadId');
    const part = Number(url.searchParams.get('partNumber'));
    const object = objects.get(key);
    switch (request.method) {
      case 'PUT':
        if (uploadId !== null) {
          const parts = uploads.get(uploadId);
          if (parts === undefined) return failure(404, 'NoSuchUpload');
          parts.set(part, body);
        } else store(key, body);
        return { status: 200, headers: { etag: etagOf(body) } };
      case 'POST':
        if (uploadId !== null) return complete(key, uploadId, body.toString());
        {
          const id = randomUUID();
          uploads.set(id, new Map());
          return xml(
            `<InitiateMultipartUploadResult><Bucket>${BUCKET}</Bucket><Key>${key}</Key><UploadId>${id}</UploadId></InitiateMultipartUploadResult>`,
          );
        }
      case 'DELETE':
        if (uploadId === null) objects.remove(key, url.searchParams.get('versionId'));
        else uploads.delete(uploadId);
        return { status: 204 };
      default:
        return object === undefined ? failure(404, 'NoSuchKey') : read(object, request.headers.range);
    }
  };

  let fault: S3Fault | null = null;
  let timesLeft = Number.POSITIVE_INFINITY;
  /**
   * Handles a request according to the fault. Returns whether it did, with or without an answer.
   */
  const isSpoiled = (request: IncomingMessage, response: ServerResponse): boolean => {
    const present = timesLeft > 0 ? fault : null;
    timesLeft -= 1;
    if (present === 'gone') request.socket.destroy();
    else if (fails(present, request)) {
      const [status, code] = FAILURES[present];
      request.resume();
      response
        .writeHead(status, { 'content-type': 'application/xml' })
        .end(`<?xml version="1.0"?><Error><Code>${code}</Code><Message>${code}</Message></Error>`);
    } else if (present === 'mute') request.resume();
    else return false;
    return true;
  };

  const server = createServer((request: IncomingMessage, response: ServerResponse) => {
    if (isSpoiled(request, response)) return;
    const isHalf = fault === 'half' && timesLeft >= 0;
    void answer(request).then(({ status, headers = {}, body = '' }) => {
      if (isHalf) {
        const bytes = Buffer.from(body);
        response.writeHead(status, { ...headers, 'content-length': bytes.length + 1 });
        response.write(bytes.subarray(0, bytes.length / 2), () => request.socket.destroy());
        return;
      }
      response.writeHead(status, headers).end(request.method === 'HEAD' ? undefined : body);
    });
  });
  await new Promise<void>(resolve => server.listen(0, host, resolve));
  const { port } = server.address() as AddressInfo;
  return {
    options: {
      endpoint: `http://${host}:${port}`,
      bucket: BUCKET,
      accessKey: ACCESS_KEY,
      secretKey: SECRET_KEY,
      region: 'us-east-1',
    },
    spoil: (next, times = Number.POSITIVE_INFINITY) => {
      fault = next;
      timesLeft = times;
    },
    keepVersions: objects.keep,
    expireVersions: objects.expire,
    versionCount: objects.count,
    keys: objects.keys,
    object: objects.get,
    exchange: store,
    age: byMs => {
      for (const [key, at] of writtenAt) writtenAt.set(key, at - byMs);
    },
    openUploads: () => uploads.size,
    close: () =>
      new Promise(resolve => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
