/**
 * How the phone app's native shell communicates with its server (ADR 38). The shell has no cookies,
 * so the tokens that a browser receives as cookies are in the response and come back in headers.
 * The Auth group defines the purpose of each token; this file imports nothing from it.
 */
import { z } from 'zod';

/** Origins of the page inside the shell, on Android and on iOS. No other site is allowed. */
export const NATIVE_ORIGINS = ['https://localhost', 'capacitor://localhost'] as const;

/** Token that the shell adds to the web view's own User-Agent. */
export const NATIVE_AGENT = 'KeyfoldApp';

/** Token to store under its name; null deletes it. An absent one stays as it is. */
const token = z.string().max(512).nullable().optional();

/**
 * Tokens of a response: of the session, of the device that stays signed in, of an MFA-pending
 * session, and of a device that signed in before.
 */
export const authTokens = z.object({ session: token, device: token, pending: token, browser: token });
export type AuthTokens = z.infer<typeof authTokens>;
export type AuthTokenName = keyof AuthTokens;

/** Additional fields in responses of the Auth group, sent when the shell makes the request. */
export const nativeAnswer = z.object({ auth_tokens: authTokens.optional() });

/**
 * Request header for each token; the session's as `Bearer`, the others sent only to paths under
 * /auth/.
 */
export const AUTH_TOKEN_HEADERS: Readonly<Record<AuthTokenName, string>> = {
  session: 'authorization',
  device: 'x-keyfold-device',
  pending: 'x-keyfold-pending',
  browser: 'x-keyfold-browser',
};
