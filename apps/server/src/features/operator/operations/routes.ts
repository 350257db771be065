/** Handlers for the operator's endpoints. */
import type { api, Handlers } from '@keyfold/contract';
import { AppError } from '@keyfold/contract/errors';
import { type RequestContext, sessionOf } from '../../../context/call-context.ts';
import type { Deps } from '../../../context/deps.ts';
import { viewOperatedPush } from '../../clients/notifications/index.ts';
import { deliverNow, dropMail, viewQueue } from '../../outbound/delivery/index.ts';
import { viewReceivedReports } from '../../reports/received-reports/index.ts';
import { listCertificates, renewNow } from '../../support/certificates/index.ts';
import { viewDomains, viewJobs, viewStorage, viewVersions } from './service.ts';

const actorOf = (context: RequestContext) => ({ kind: 'admin', userId: sessionOf(context).userId }) as const;

export const operationsHandlers = (deps: Deps): Handlers<typeof api.operations, RequestContext> => ({
  queue: async input => ({ data: await viewQueue(deps, input) }),
  deliver_now: async (input, context) => ({
    data: { updated: await deliverNow(deps, actorOf(context), input) },
  }),
  drop_mail: async (input, context) => ({ data: await dropMail(deps, actorOf(context), input) }),
  domains: async ({ page }) => ({ data: await viewDomains(deps, page) }),
  certificates: async ({ page }) => ({
    data: { enabled: Boolean(deps.config.https?.acme), ...(await listCertificates(deps, page)) },
  }),
  renew_certificate: async ({ name }, context) => {
    const outcome = await renewNow(deps, actorOf(context), name);
    if (outcome === 'unknown') throw new AppError('not_found');
    return { data: { name, renewed: outcome === 'renewed' } };
  },
  jobs: async () => ({ data: await viewJobs(deps) }),
  push: async () => ({ data: await viewOperatedPush(deps) }),
  reports: async () => ({ data: await viewReceivedReports(deps) }),
  storage: async () => ({ data: await viewStorage(deps) }),
  versions: async () => ({ data: await viewVersions(deps) }),
});
