/**
 * The handlers of the groups auth and csrf, and of the endpoints about the user's own access: they
 * pass requests to service.ts and tokens to cookies.
 */
import type { api, Handlers } from '@keyfold/contract';
import { createCaptcha } from '../../../adapters/captcha.ts';
import {
  DEVICE_LIFETIME_MS,
  HALF_SESSION_LIFETIME_MS,
  KNOWN_BROWSER_KEPT_MS,
  SESSION_IDLE_MS,
} from '../../../base/limits.ts';
import { type RequestContext, sessionOf } from '../../../context/call-context.ts';
import type { Deps } from '../../../context/deps.ts';
import { signupDomainsOf } from '../sign-up-codes/index.ts';
import { enterByBiometrics, turnBiometricsOff, turnBiometricsOn } from './biometrics.ts';
import type { LoggedIn, Visitor } from './complete-login.ts';
import { createCsrfToken } from './csrf.ts';
import { listLogins } from './login-history.ts';
import { changePassword } from './password.ts';
import { confirmRecovery, removeRecovery, saveRecovery } from './recovery.ts';
import { askVisitorsPasskey, enterByCode, enterByPasskey } from './second-step.ts';
import {
  check,
  enterByKit,
  isAddressFree,
  login,
  logout,
  type NewAccount,
  register,
  restore,
} from './service.ts';
import { endOtherSessions, endSession, listSessions } from './session-list.ts';

const visitorOf = (context: RequestContext): Visitor => ({
  userAgent: context.userAgent,
  ip: context.ip,
  sessionToken: context.sessionToken,
  deviceToken: context.cookie('device'),
  browserToken: context.cookie('browser'),
  pendingToken: context.cookie('pending'),
});

const SECOND_MS = 1000;

/** Sets the tokens as cookies and responds with the user. */
function welcome(context: RequestContext, { user, sessionToken, deviceToken, browserToken }: LoggedIn) {
  context.setCookie({ name: 'session', value: sessionToken });
  if (deviceToken !== null) {
    context.setCookie({ name: 'device', value: deviceToken, lifetimeMs: DEVICE_LIFETIME_MS });
  } else if (context.cookie('device') !== undefined) {
    context.setCookie({ name: 'device', value: null });
  }
  if (context.cookie('pending') !== undefined) context.setCookie({ name: 'pending', value: null });
  if (browserToken !== null) {
    context.setCookie({ name: 'browser', value: browserToken, lifetimeMs: KNOWN_BROWSER_KEPT_MS });
  }
  return { data: { ...user, session_seconds: SESSION_IDLE_MS / SECOND_MS } };
}

/** Sets the cookie of an MFA-pending session. */
function keepPending(context: RequestContext, value: string | null): void {
  if (value !== null) context.setCookie({ name: 'pending', value, lifetimeMs: HALF_SESSION_LIFETIME_MS });
}

export function signUpHandlers(deps: Deps & NewAccount): Handlers<typeof api.sign_up, RequestContext> {
  const captcha = createCaptcha(deps.config.captchaCost, deps.masterKey);
  return {
    domains: async () => ({
      data: [...signupDomainsOf(deps.config)],
      invitation_needed: deps.config.isInvitationNeeded,
    }),
    captcha: async () => ({ data: await captcha.challenge(deps.clock.now()) }),
    available: async input => ({ data: { available: await isAddressFree(deps, captcha, input) } }),
    register: async (input, context) => {
      const { data } = welcome(context, await register(deps, captcha, input, visitorOf(context)));
      return { data: deps.config.isWelcomeSent ? { ...data, first_steps: true } : data };
    },
  };
}

export const signInHandlers = (deps: Deps): Handlers<typeof api.sign_in, RequestContext> => ({
  login: async (input, context) => {
    const outcome = await login(deps, input, visitorOf(context));
    if ('user' in outcome) return welcome(context, outcome);
    keepPending(context, outcome.pendingToken);
    return { data: { mfa_required: true, factors: outcome.factors } };
  },
});

export const authHandlers = (deps: Deps): Handlers<typeof api.auth, RequestContext> => ({
  restore: async (input, context) =>
    welcome(context, await restore(deps, input, visitorOf(context), context.idempotencyKey)),
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
});

export const recoveryHandlers = (deps: Deps): Handlers<typeof api.recovery, RequestContext> => ({
  recover: async (input, context) => {
    const entered = await enterByKit(deps, input, visitorOf(context));
    if ('user' in entered) return welcome(context, entered);
    keepPending(context, entered.pendingToken);
    return { data: { main_key: entered.main_key, factors: entered.factors } };
  },
});

export const mfaHandlers = (deps: Deps): Handlers<typeof api.mfa, RequestContext> => ({
  code: async (input, context) => welcome(context, await enterByCode(deps, input, visitorOf(context))),
  challenge: async (input, context) => ({
    data: { ...(await askVisitorsPasskey(deps, input, visitorOf(context))) },
  }),
  passkey: async (input, context) => welcome(context, await enterByPasskey(deps, input, visitorOf(context))),
});

export const biometricHandlers = (deps: Deps): Handlers<typeof api.biometrics, RequestContext> => ({
  turn_on: async (input, context) => {
    const { token, expiresAt } = await turnBiometricsOn(deps, sessionOf(context), input, context);
    return { data: { token, expires_at: expiresAt.toISOString() } };
  },
  enter: async (input, context) => welcome(context, await enterByBiometrics(deps, input, visitorOf(context))),
  turn_off: async ({ token }) => {
    await turnBiometricsOff(deps, token);
    return { data: {} };
  },
});

type OwnAccess = Pick<
  typeof api.account,
  | 'change_password'
  | 'confirm_recovery'
  | 'end_other_sessions'
  | 'end_session'
  | 'logins'
  | 'remove_recovery'
  | 'save_recovery'
  | 'sessions'
>;

export const accessHandlers = (deps: Deps): Handlers<OwnAccess, RequestContext> => ({
  change_password: async (input, context) => {
    await changePassword(deps, sessionOf(context), input, context);
    return { data: {} };
  },
  sessions: async (_input, context) => ({ data: await listSessions(deps, sessionOf(context)) }),
  end_session: async ({ id }, context) => {
    await endSession(deps, sessionOf(context), id);
    return { data: {} };
  },
  end_other_sessions: async (_input, context) => ({
    data: { ended: await endOtherSessions(deps, sessionOf(context)) },
  }),
  logins: async (_input, context) => ({
    data: await listLogins(deps.db, sessionOf(context).userId, deps.clock.now()),
  }),
  save_recovery: async (input, context) => ({
    data: { recovery_at: (await saveRecovery(deps, sessionOf(context), input, context)).toISOString() },
  }),
  confirm_recovery: async (input, context) => ({
    data: { recovery_at: (await confirmRecovery(deps, sessionOf(context), input)).toISOString() },
  }),
  remove_recovery: async (input, context) => {
    await removeRecovery(deps, sessionOf(context), input, context);
    return { data: {} };
  },
});

export const adminAccessHandlers = (deps: Deps): Handlers<typeof api.admin_access, RequestContext> => ({
  admin_status: async (_input, context) => {
    const { level } = sessionOf(context);
    return { data: { is_admin: level !== null, admin_level: level } };
  },
  token: async (_input, context) => {
    const { tokenHash } = sessionOf(context);
    return { csrf_token: createCsrfToken(deps.masterKey, tokenHash, deps.clock.now()) };
  },
});
