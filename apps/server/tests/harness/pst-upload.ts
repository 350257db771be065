/**
 * A PST upload that has started but does not end: the request sends its file first, and the caller
 * continues or aborts it.
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
