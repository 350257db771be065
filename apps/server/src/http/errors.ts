/**
 * Converts errors to replies, in this one place (docs/api-conventions.md#envelope). An error that
 * is not documented becomes 'Something failed': its cause is logged with the request's id and never
 * sent to the caller.
 */
import type { FailureBody } from '@keyfold/contract';
import { AppError, type ErrorCode } from '@keyfold/contract/errors';
import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import type { Logger } from '../base/logger.ts';
import { findOutage } from '../features/support/health/index.ts';

const RETRY_AFTER_DEFAULT_SECONDS = 60;
const OUTAGE_RETRY_SECONDS = 5;

/** Formats zod's issues, one line per field. */
export const toMalformed = (error: z.ZodError): AppError =>
  new AppError('malformed', {
    problems: error.issues.map(issue => ({ path: issue.path.map(String).join('.'), message: issue.message })),
  });

const FRAMEWORK_CODES: Readonly<Record<number, ErrorCode>> = {
  404: 'not_found',
  413: 'too_large',
  415: 'media_refused',
};

/** PostgreSQL's code for a text that it cannot store: one with a zero byte. */
const NO_CHARACTER = '22021';

/** Returns the documented error for any thrown value. */
export function toAppError(error: unknown): AppError {
  if (error instanceof AppError) return error;
  if (error instanceof z.ZodError) return new AppError('failed', { cause: error });
  const outage = findOutage(error);
  if (outage !== null) return new AppError(outage, { cause: error });
  const { statusCode, code } = error as Partial<FastifyError>;
  if (code === NO_CHARACTER) return new AppError('malformed', { cause: error });
  if (error instanceof Error && statusCode !== undefined && statusCode >= 400 && statusCode < 500) {
    return new AppError(FRAMEWORK_CODES[statusCode] ?? 'malformed', { cause: error });
  }
  return new AppError('failed', { cause: error });
}

const bodyOf = (error: AppError): FailureBody => ({
  success: false,
  message: error.message,
  code: error.code,
  ...(error.problems.length > 0 ? { errors: [...error.problems] } : {}),
});

function retryAfterOf(error: AppError): number | undefined {
  if (error.status === 429) return error.retryAfterSeconds ?? RETRY_AFTER_DEFAULT_SECONDS;
  return error.status === 503 ? OUTAGE_RETRY_SECONDS : error.retryAfterSeconds;
}

/** Answers a request with an error, and logs it when it is a fault of the server. */
export function replyWithError(
  logger: Logger,
  thrown: unknown,
  request: FastifyRequest,
  reply: FastifyReply,
): FastifyReply {
  const error = toAppError(thrown);
  if (error.status >= 500) {
    const place = { requestId: request.id, route: request.routeOptions.url ?? 'unknown' };
    const level = error.code === 'failed' ? 'error' : 'warn';
    logger[level]({ ...place, code: error.code, err: error.cause ?? error }, 'request failed');
  }
  const retryAfterSeconds = retryAfterOf(error);
  if (retryAfterSeconds !== undefined) {
    void reply.header('retry-after', String(Math.max(1, Math.ceil(retryAfterSeconds))));
  }
  return reply
    .code(error.status)
    .header('cache-control', 'no-store')
    .type('application/json; charset=utf-8')
    .send(JSON.stringify(bodyOf(error)));
}
