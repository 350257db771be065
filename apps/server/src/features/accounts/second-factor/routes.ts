/** Handlers of the endpoints for a user's own second factors. */
import type { api, Handlers } from '@keyfold/contract';
import { type RequestContext, sessionOf } from '../../../context/call-context.ts';
import type { Deps } from '../../../context/deps.ts';
import {
  activate,
  addPasskey,
  beginPasskey,
  confirmOwnCodes,
  disable,
  generate,
  nameOwnPasskey,
  readStatus,
  removeOwnPasskey,
  renewCodes,
} from './own-factors.ts';
import { askPasskey, type OwnerCheck, proverOf } from './service.ts';

const ownProver = (context: RequestContext) => proverOf(sessionOf(context), context);

export const otpHandlers = (deps: Deps): Handlers<typeof api.otp, RequestContext> => ({
  generate: async (_input, context) => ({ data: await generate(deps, sessionOf(context).userId) }),
  initial: async (input, context) => ({
    data: { recovery_codes: await activate(deps, ownProver(context), input) },
  }),
  disable: async (input, context) => {
    await disable(deps, ownProver(context), input);
    return { data: {} };
  },
});

export const secondFactorHandlers = (
  deps: Deps & OwnerCheck,
): Handlers<typeof api.second_factor, RequestContext> => ({
  status: async (_input, context) => ({ data: await readStatus(deps, sessionOf(context).userId) }),
  challenge: async (_input, context) => ({ data: { ...(await askPasskey(deps, sessionOf(context))) } }),
  renew_codes: async (input, context) => ({
    data: { recovery_codes: await renewCodes(deps, ownProver(context), input) },
  }),
  confirm_codes: async ({ code }, context) => {
    await confirmOwnCodes(deps, sessionOf(context).userId, code);
    return { data: {} };
  },
  begin_passkey: async (input, context) => ({
    data: { ...(await beginPasskey(deps, ownProver(context), input)) },
  }),
  add_passkey: async (input, context) => ({ data: await addPasskey(deps, ownProver(context), input) }),
  rename_passkey: async ({ id, name }, context) => {
    await nameOwnPasskey(deps, sessionOf(context).userId, id, name);
    return { data: {} };
  },
  remove_passkey: async (input, context) => {
    await removeOwnPasskey(deps, ownProver(context), input);
    return { data: {} };
  },
});
