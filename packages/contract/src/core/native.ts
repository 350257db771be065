/**
 * How the shell of a phone talks to its server (ADR 38): it has no cookies there, so the tokens that a browser gets as
 * cookies stand in the answer, and come back in headers. What each token is for is the Auth group's. Imports nothing of it.
 */
import { z } from 'zod';

/** Origins of the page in the shell: on Android, and on iOS. No other site is let through. */
export const NATIVE_ORIGINS = ['https://localhost', 'capacitor://localhost'] as const;

/** What the User-Agent of the shell carries beside the web view's own words. */
export const NATIVE_AGENT = 'KeyfoldApp';

/** A token to keep under its name; null: it is over. An absent one stays as it is. */
const token = z.string().max(512).nullable().optional();

/**
 * The tokens of an answer: of the session, of the device that stays signed in, of a half-done sign-in, and of a device that
 * signed in before.
 */
export const authTokens = z.object({ session: token, device: token, pending: token, browser: token });
export type AuthTokens = z.infer<typeof authTokens>;
export type AuthTokenName = keyof AuthTokens;

/** What answers of the Auth group carry beside their own fields, when the shell asks. */
export const nativeAnswer = z.object({ auth_tokens: authTokens.optional() });

/** In which header each token comes back; the session's as `Bearer`, the others to addresses under /auth/ alone. */
export const AUTH_TOKEN_HEADERS: Readonly<Record<AuthTokenName, string>> = {
  session: 'authorization',
  device: 'x-keyfold-device',
  pending: 'x-keyfold-pending',
  browser: 'x-keyfold-browser',
};
