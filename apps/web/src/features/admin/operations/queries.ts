// Queries and mutations of the Operations tab. All query keys begin like the console's, so that its
// Refresh button covers them.

import { operationsCalls } from '@keyfold/contract/calls/operations';
import { signUpCodesCalls } from '@keyfold/contract/calls/sign-up-codes';
import { CallError } from '@keyfold/contract/client';
import { keepPreviousData, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { t } from '../../../lib/language.ts';
import { asAdmin } from '../../../session/calls/as-admin.ts';
import { clientOf } from '../../../session/calls/client.ts';
import { callErrorText } from '../../../session/calls/error-text.ts';
import { showToast } from '../../../ui/toasts.ts';

const room = ['admin', 'operations'] as const;
const operationsClient = clientOf(operationsCalls);
const signUpCodesClient = clientOf(signUpCodesCalls);

/** The displayed part of the queue. */
export type QueueView = {
  readonly domain: string | null;
  readonly state: 'all' | 'waiting' | 'deferred' | 'delivering';
  /** Counted from 1. */
  readonly page: number;
};

/** Returns a page of the queue; the previous page stays until it arrives. */
export const useQueue = ({ domain, state, page }: QueueView) =>
  useQuery({
    queryKey: [...room, 'queue', domain, state, page],
    queryFn: async () =>
      (
        await asAdmin('GET queue', options =>
          operationsClient.queue(
            { page, ...(domain === null ? {} : { domain }), ...(state === 'all' ? {} : { state }) },
            options,
          ),
        )
      ).data,
    placeholderData: keepPreviousData,
  });

/** Returns a page of domains. */
export const useDomains = (page: number) =>
  useQuery({
    queryKey: [...room, 'domains', page],
    queryFn: async () =>
      (await asAdmin('GET domains', options => operationsClient.domains({ page }, options))).data,
    placeholderData: keepPreviousData,
  });

/** Returns a page of certificates. */
export const useCertificates = (page: number) =>
  useQuery({
    queryKey: [...room, 'certificates', page],
    queryFn: async () =>
      (await asAdmin('GET certificates', options => operationsClient.certificates({ page }, options))).data,
    placeholderData: keepPreviousData,
  });

export const useJobs = () =>
  useQuery({
    queryKey: [...room, 'jobs'],
    queryFn: async () => (await asAdmin('GET jobs', options => operationsClient.jobs({}, options))).data,
  });

export const usePushes = () =>
  useQuery({
    queryKey: [...room, 'push'],
    queryFn: async () => (await asAdmin('GET push', options => operationsClient.push({}, options))).data,
  });

export const useReports = () =>
  useQuery({
    queryKey: [...room, 'reports'],
    queryFn: async () =>
      (await asAdmin('GET reports', options => operationsClient.reports({}, options))).data,
  });

export const useStorage = () =>
  useQuery({
    queryKey: [...room, 'storage'],
    queryFn: async () =>
      (await asAdmin('GET storage', options => operationsClient.storage({}, options))).data,
  });

export const useVersions = () =>
  useQuery({
    queryKey: [...room, 'versions'],
    queryFn: async () =>
      (await asAdmin('GET versions', options => operationsClient.versions({}, options))).data,
  });

export const useCodes = () =>
  useQuery({
    queryKey: [...room, 'codes'],
    queryFn: async () => (await asAdmin('GET codes', options => signUpCodesClient.list({}, options))).data,
  });

/** One recipient's row, or all rows of a domain. */
export type QueueTarget = { readonly id: string } | { readonly domain: string };

/** Returns why an action failed. A 404 means that the mail is no longer in the queue. */
export function failureText(what: string, error: unknown): string {
  const isGone = error instanceof CallError && error.status === 404;
  const why = isGone ? t('It no longer exists') : callErrorText(error);
  return t('{what}: {why}', { what, why });
}

/** Returns a function that refetches the lists after a change, whether it succeeded or not. */
function useRenewed() {
  const cache = useQueryClient();
  return () => void cache.invalidateQueries({ queryKey: room });
}

/** Retries queued mail immediately. */
export function useDeliverNow() {
  return useMutation({
    mutationFn: async (target: QueueTarget) =>
      (await asAdmin('POST deliver_now', options => operationsClient.deliver_now(target, options))).data
        .updated,
    onSuccess: count =>
      showToast({
        tone: 'success',
        text: t(
          '{count, plural, one {Started delivery to # recipient} other {Started delivery to # recipients}}',
          {
            count,
          },
        ),
      }),
    onError: error => showToast({ tone: 'danger', text: failureText(t('Couldn’t start delivery'), error) }),
    onSettled: useRenewed(),
    networkMode: 'always',
  });
}

/** Orders the certificate of a name now. */
export function useRenewCertificate() {
  return useMutation({
    mutationFn: async (name: string) =>
      (
        await asAdmin('POST renew_certificate', options =>
          operationsClient.renew_certificate({ name }, options),
        )
      ).data,
    onSuccess: ({ name, renewed }) =>
      showToast(
        renewed
          ? { tone: 'success', text: t('Certificate renewed: {name}', { name }) }
          : { tone: 'danger', text: t('Couldn’t renew the certificate: {name}', { name }) },
      ),
    onError: error =>
      showToast({ tone: 'danger', text: failureText(t('Couldn’t renew the certificate'), error) }),
    onSettled: useRenewed(),
    networkMode: 'always',
  });
}

/**
 * Drops the target's mail in batches until none is left to drop; resolves with the number of
 * recipients.
 */
async function dropAll(target: QueueTarget): Promise<number> {
  let dropped = 0;
  for (;;) {
    const { data } = await asAdmin('POST drop_mail', options =>
      operationsClient.drop_mail(target, options),
    ).catch((error: unknown) => {
      // The rest is being delivered, so nothing is left to drop.
      if (dropped > 0 && error instanceof CallError && error.status === 404)
        return { data: { dropped: 0, left: 0 } };
      throw error;
    });
    dropped += data.dropped;
    if (data.left === 0) return dropped;
  }
}

/** Drops queued mail; its senders are notified. */
export function useDropMail() {
  return useMutation({
    mutationFn: dropAll,
    onSuccess: count =>
      showToast({
        tone: 'success',
        text: t('{count, plural, one {Dropped mail to # recipient} other {Dropped mail to # recipients}}', {
          count,
        }),
      }),
    onSettled: useRenewed(),
    networkMode: 'always',
  });
}

export type InvitationWish = { readonly uses: number; readonly days: number | null; readonly note: string };

/** Creates an invitation; resolves with its code. */
export function useCreateInvitation() {
  return useMutation({
    mutationFn: async ({ uses, days, note }: InvitationWish) =>
      (
        await asAdmin('POST create_invitation', options =>
          signUpCodesClient.create_invitation({ uses, note, ...(days === null ? {} : { days }) }, options),
        )
      ).data.code,
    onSettled: useRenewed(),
    networkMode: 'always',
  });
}

/** Revokes an invitation. */
export function useRemoveInvitation() {
  return useMutation({
    mutationFn: (id: string) =>
      asAdmin('POST remove_invitation', options => signUpCodesClient.remove_invitation({ id }, options)),
    onSuccess: () => showToast({ tone: 'success', text: t('Invitation deleted') }),
    onError: error =>
      showToast({ tone: 'danger', text: failureText(t('Couldn’t delete the invitation'), error) }),
    onSettled: useRenewed(),
    networkMode: 'always',
  });
}
