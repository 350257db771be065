// Reads and saves the rules for incoming mail, and reads the newest messages to test a rule on.
import type { Rule } from '@keyfold/contract';
import { rulesCalls } from '@keyfold/contract/calls/rules';
import { createRuleMatcher } from '@keyfold/mail/rules';
import { type QueryClient, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { keys } from '../../crypto/key-client.ts';
import { clientOf } from '../../session/calls/client.ts';
import { mailClient } from '../../session/calls/clients/mail.ts';
import { requireWhole } from '../../session/calls/whole-list.ts';

const rulesClient = clientOf(rulesCalls);
const rulesKey = ['rules'] as const;

const rulesQuery = {
  queryKey: rulesKey,
  queryFn: async () => (await rulesClient.list({})).data,
};

/** Provides the rules in their order, live. */
export const useRules = () => useQuery(rulesQuery);

/** Returns the current rules. Rejects on failure. */
export const getRules = (cache: QueryClient): Promise<readonly Rule[]> => cache.fetchQuery(rulesQuery);

/** Replaces all rules. The list shows the change at once and reverts when the server rejects it. */
export function useSaveRules() {
  const cache = useQueryClient();
  return useMutation({
    mutationFn: async (rules: readonly Rule[]) => {
      requireWhole((await rulesClient.list({})).data);
      await rulesClient.save({ rules: rules.map(rule => ({ ...rule })) });
    },
    onMutate: async rules => {
      await cache.cancelQueries({ queryKey: rulesKey });
      const before = cache.getQueryData<readonly Rule[]>(rulesKey);
      cache.setQueryData(rulesKey, rules);
      return { before };
    },
    onError: (_error, _rules, context) => cache.setQueryData(rulesKey, context?.before),
    onSettled: () => cache.invalidateQueries({ queryKey: rulesKey }),
  });
}

/** Number of messages that a rule is tested on. */
const TRIED_MAILS = 50;

/**
 * Returns how many of the newest messages a rule would match, and how many were checked. The
 * messages are decrypted only on this device.
 */
export async function tryRule(rule: Rule): Promise<{ readonly matched: number; readonly tried: number }> {
  const { data } = await mailClient.query({
    sent: false,
    draft: false,
    deleted: false,
    count: TRIED_MAILS,
    view: 'summary',
  });
  const rows = await keys().openRows(data);
  const match = createRuleMatcher([{ ...rule, enabled: true }]);
  const matched = rows.filter(
    ({ summary: { from, to, cc, subject }, failed }) =>
      match({ from: [from], to, cc, subject: failed === null ? subject : null }) !== null,
  ).length;
  return { matched, tried: rows.length };
}
