/**
 * An upload of a PST that has begun and does not end: its file comes first, and whoever asked for it writes on or breaks it off.
 */
import { type ClientRequest, request as httpRequest } from 'node:http';
import type { TestUser } from './users.ts';

export function beginPstUpload(baseUrl: string, { client }: TestUser): ClientRequest {
  const upload = httpRequest(`${baseUrl}/user/import/pst`, {
    method: 'POST',
    agent: false,
    headers: {
      'content-type': 'multipart/form-data; boundary=b',
      'transfer-encoding': 'chunked',
      cookie: client.jar.header('/user/import/pst') ?? '',
      origin: baseUrl,
    },
  });
  upload.on('error', () => undefined);
  return upload;
}
