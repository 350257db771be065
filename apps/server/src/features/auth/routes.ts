/**
 * The handlers of the groups auth and csrf: they hand requests to service.ts and tokens to cookies.
 */
import type { api, Handlers } from '@keyfold/contract';
import { createCaptcha } from '../../adapters/captcha.ts';
import type { Deps } from '../../deps.ts';
import { type RequestContext, sessionOf } from '../../http/context.ts';
import { DEVICE_LIFETIME_MS, SESSION_IDLE_MS } from '../../limits.ts';
import {
  check,
  createCsrfToken,
  type LoggedIn,
  login,
  logout,
  register,
  restore,
  type Visitor,
} from './service.ts';

const visitorOf = (context: RequestContext): Visitor => ({
  userAgent: context.userAgent,
  sessionToken: context.sessionToken,
  deviceToken: context.cookie('device'),
});

const SECOND_MS = 1000;

/** Hands the tokens out as cookies and answers with the user. */
const welcome = (context: RequestContext, { user, sessionToken, deviceToken }: LoggedIn) => {
  context.setCookie({ name: 'session', value: sessionToken });
  if (deviceToken !== null) {
    context.setCookie({ name: 'device', value: deviceToken, lifetimeMs: DEVICE_LIFETIME_MS });
  } else if (context.cookie('device') !== undefined) {
    context.setCookie({ name: 'device', value: null });
  }
  return { data: { ...user, session_seconds: SESSION_IDLE_MS / SECOND_MS } };
};

export const authHandlers = (deps: Deps): Handlers<typeof api.auth, RequestContext> => {
  const captcha = createCaptcha(deps.config.captchaCost, deps.masterKey);
  return {
    domains: async () => ({ data: [...deps.config.domains] }),
    captcha: async () => ({ data: await captcha.challenge(deps.clock.now()) }),
    register: async (input, context) =>
      welcome(context, await register(deps, captcha, input, visitorOf(context))),
    login: async (input, context) => welcome(context, await login(deps, input, visitorOf(context))),
    restore: async (input, context) => welcome(context, await restore(deps, input, visitorOf(context))),
    check: async (_input, context) => ({
      data: {
        ...(await check(deps, sessionOf(context))),
        session_seconds: SESSION_IDLE_MS / SECOND_MS,
      },
    }),
    logout: async (_input, context) => {
      await logout(deps, visitorOf(context));
      for (const name of ['session', 'device', 'pending'] as const) context.setCookie({ name, value: null });
      return { data: {} };
    },
    admin_status: async (_input, context) => {
      const { level } = sessionOf(context);
      return { data: { is_admin: level !== null, admin_level: level } };
    },
  };
};

export const csrfHandlers = (deps: Deps): Handlers<typeof api.csrf, RequestContext> => ({
  token: async (_input, context) => {
    const { tokenHash } = sessionOf(context);
    return { csrf_token: createCsrfToken(deps.masterKey, tokenHash, deps.clock.now()) };
  },
});
