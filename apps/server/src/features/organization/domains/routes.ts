/** Handlers for contract group `domains`. */
import type { api, Handlers } from '@keyfold/contract';
import { callerOf, type RequestContext } from '../../../context/call-context.ts';
import type { Deps } from '../../../context/deps.ts';
import { createDomainAddress, moveAddress } from '../addresses/index.ts';
import {
  changeMain,
  checkDomain,
  getDomain,
  getValidationRecord,
  listDomains,
  makeNewKey,
  registerDomain,
  removeDomain,
  setCatchall,
  setPrimary,
} from './service.ts';

export const domainHandlers = (deps: Deps): Handlers<typeof api.domains, RequestContext> => ({
  list: async (_input, context) => ({ data: await listDomains(deps, callerOf(context).userId) }),
  register: async ({ domain }, context) => ({
    data: await registerDomain(deps, callerOf(context).userId, domain),
  }),
  remove: async ({ domain }, context) => {
    await removeDomain(deps, callerOf(context).userId, domain);
    return { data: {} };
  },
  info: async ({ domain }, context) => ({ data: await getDomain(deps, callerOf(context).userId, domain) }),
  validation_record: async ({ domain }, context) => ({
    data: await getValidationRecord(deps, callerOf(context).userId, domain),
  }),
  readiness: async ({ domain }, context) => {
    const info = await checkDomain(deps, callerOf(context).userId, domain);
    return { data: { ...info, ready: info.verified && info.healthy === true } };
  },
  health: async ({ domain }, context) => ({
    data: await checkDomain(deps, callerOf(context).userId, domain),
  }),
  address: async (input, context) => ({
    data: { address: await createDomainAddress(deps, callerOf(context).userId, input) },
  }),
  change: async (input, context) => ({
    data: { address: await moveAddress(deps, callerOf(context).userId, input) },
  }),
  set_primary: async ({ domain }, context) => ({
    data: { primary_domain: await setPrimary(deps, callerOf(context).userId, domain) },
  }),
  change_main: async ({ domain }, context) => ({
    data: { email: await changeMain(deps, callerOf(context).userId, domain) },
  }),
  catchall: async (input, context) => ({
    data: { catchall: await setCatchall(deps, callerOf(context).userId, input) },
  }),
  new_key: async ({ domain }, context) => ({
    data: await makeNewKey(deps, callerOf(context).userId, domain),
  }),
});
