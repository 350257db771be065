// Queries and mutations of the console. A changed account appears in the list half a second later
// (docs/spec-map.md 4.35).
import { adminCalls } from '@keyfold/contract/calls/admin';
import { ADMIN_PAGE_SIZE_MAX } from '@keyfold/contract/limits';
import type { Plan } from '@keyfold/contract/plans';
import {
  keepPreviousData,
  useInfiniteQuery,
  useMutation,
  useQuery,
  useQueryClient,
} from '@tanstack/react-query';
import { useEffect } from 'react';
import { asAdmin } from '../../session/calls/as-admin.ts';
import { clientOf } from '../../session/calls/client.ts';
import { adminAccessClient } from '../../session/calls/clients/admin-access.ts';
import { REFRESH_AFTER_ACTION_MS } from '../../timing.ts';
import { showToast } from '../../ui/toasts.ts';
import { loadFailureText } from './admin-errors.ts';
import { sumSent } from './stats-numbers.ts';
import { noFilters, type UserFilters } from './user-filters.ts';

const adminClient = clientOf(adminCalls);

/** Users per page in the console. docs/spec-map.md 7, 9. */
export const USERS_PER_PAGE = 50;

const room = 'admin';

/** Returns whether the user is an admin, and of which level. */
export const useAdminStatus = () =>
  useQuery({
    queryKey: [room, 'status'],
    queryFn: async () => (await adminAccessClient.admin_status({})).data,
  });

/** Reports a loading failure once in a toast. */
function useToldFailure(call: 'audit' | 'stats' | 'users', error: unknown, failedAt: number): void {
  useEffect(() => {
    if (failedAt > 0 && error !== null) showToast({ tone: 'danger', text: loadFailureText(call, error) });
  }, [call, error, failedAt]);
}

/** Maximum number of requests for the sum over users. */
const SUM_PAGES_MAX = 10;

/**
 * Returns the number of messages that all users sent together; null when there are too many users
 * or a request fails. The server's own number is then used: it counts a message for its user and
 * for the total in one transaction, so that it is 0 only if no user has sent anything.
 */
async function sumOverUsers(total: number): Promise<number | null> {
  const pages = Math.ceil(total / ADMIN_PAGE_SIZE_MAX);
  if (pages > SUM_PAGES_MAX) return null;
  let sum = 0;
  try {
    for (let page = 1; page <= pages; page += 1) {
      const { data } = await asAdmin('GET users', options =>
        adminClient.users({ page, pageSize: ADMIN_PAGE_SIZE_MAX }, options),
      );
      sum += sumSent(data.users);
    }
  } catch {
    return null;
  }
  return sum;
}

/**
 * Returns the statistics. If they count no sent messages, the sum over users is used.
 * docs/spec-map.md 9.02, 9.19.
 */
export function useStats() {
  const query = useQuery({
    queryKey: [room, 'stats'],
    queryFn: async () => {
      const { data } = await asAdmin('GET stats', options => adminClient.stats({}, options));
      return data.total_emails_sent > 0
        ? data
        : { ...data, total_emails_sent: (await sumOverUsers(data.total_users)) ?? data.total_emails_sent };
    },
  });
  useToldFailure('stats', query.error, query.errorUpdatedAt);
  return query;
}

/** Returns one page of users selected by the server; the previous page stays until it arrives. */
export function useUsers(page: number, search: string, filters: UserFilters = noFilters) {
  const { status, plan, adminStatus: admin, storageLevel: storage } = filters;
  const query = useQuery({
    queryKey: [room, 'users', page, search, filters],
    queryFn: async () =>
      (
        await asAdmin('GET users', options =>
          adminClient.users(
            { page, pageSize: USERS_PER_PAGE, search, status, plan, admin, storage },
            options,
          ),
        )
      ).data,
    placeholderData: keepPreviousData,
  });
  useToldFailure('users', query.error, query.errorUpdatedAt);
  return query;
}

/** Returns since when and why an account's mail is held; null when it is not. */
export const useMailHold = (userId: string) =>
  useQuery({
    queryKey: [room, 'hold', userId],
    queryFn: async () =>
      (await asAdmin('GET mail_hold', options => adminClient.mail_hold({ user_id: userId }, options))).data
        .hold,
  });

/** Returns the audit log, page by page. */
export function useAudit() {
  const query = useInfiniteQuery({
    queryKey: [room, 'audit'],
    initialPageParam: undefined as number | undefined,
    queryFn: async ({ pageParam }) =>
      (
        await asAdmin('GET audit', options =>
          adminClient.audit(pageParam === undefined ? {} : { before: pageParam }, options),
        )
      ).data,
    getNextPageParam: last => (last.has_more ? Number(last.entries.at(-1)?.id) : undefined),
  });
  useToldFailure('audit', query.error, query.errorUpdatedAt);
  return query;
}

/** Returns a function that refetches all displayed data and resolves when it has arrived. */
export function useRefresh(): () => Promise<void> {
  const cache = useQueryClient();
  return () => cache.invalidateQueries({ queryKey: [room] });
}

/** An action on an account. */
export type AccountAction =
  | { readonly kind: 'grant'; readonly level: 'readonly' | 'standard' | 'super' }
  | { readonly kind: 'revoke' }
  | { readonly kind: 'suspend'; readonly reason: string }
  | { readonly kind: 'unsuspend' }
  | { readonly kind: 'release' }
  | { readonly kind: 'plan'; readonly plan: Plan };

const perform = (user_email: string, action: AccountAction) =>
  asAdmin(`POST ${action.kind}`, (options): Promise<unknown> => {
    switch (action.kind) {
      case 'grant':
        return adminClient.grant_admin({ user_email, admin_level: action.level }, options);
      case 'revoke':
        return adminClient.revoke_admin({ user_email }, options);
      case 'suspend':
        return adminClient.suspend_user({ user_email, reason: action.reason }, options);
      case 'unsuspend':
        return adminClient.unsuspend_user({ user_email }, options);
      case 'release':
        return adminClient.release_mail({ user_email }, options);
      case 'plan':
        return adminClient.set_plan({ user_email, plan: action.plan }, options);
    }
  });

/** Runs an action on an account. Rejects like asAdmin. */
export function useAccountAction(email: string) {
  const refresh = useRefresh();
  return useMutation({
    mutationFn: (action: AccountAction) => perform(email, action),
    onSuccess: () => {
      setTimeout(() => void refresh(), REFRESH_AFTER_ACTION_MS);
    },
    networkMode: 'always',
  });
}
