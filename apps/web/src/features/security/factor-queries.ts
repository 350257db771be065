// Reads and changes the enabled second factors, and updates the cached user that other screens
// show.

import { otpCalls } from '@keyfold/contract/calls/second-factor';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { keys } from '../../crypto/key-client.ts';
import { clientOf } from '../../session/calls/client.ts';
import { secondFactorClient } from '../../session/calls/clients/second-factor.ts';
import { readFactorStatus } from '../../session/sign-in/factor-status.ts';
import type { OwnProof } from '../../session/trust/factor-proof.ts';
import { makeKey } from '../../session/trust/factor-proof.ts';

const otpClient = clientOf(otpCalls);

const statusKey = ['second-factor'] as const;

/** Provides the enabled second factors. */
export const useSecondFactor = () =>
  useQuery({ queryKey: statusKey, queryFn: readFactorStatus, staleTime: 0 });

/**
 * Provides a secret for an authenticator app. It is fetched when the dialog opens and discarded
 * when it closes.
 */
export const useTotpSecret = () =>
  useQuery({
    queryKey: ['totp-secret'],
    queryFn: async () => (await otpClient.generate({})).data,
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
    retry: false,
  });

/** A change and the data it needs in addition to the second factor. */
export type FactorChange =
  | { readonly kind: 'totp_on'; readonly code: string; readonly proof: OwnProof }
  | { readonly kind: 'totp_off'; readonly proof: OwnProof }
  | { readonly kind: 'new_codes'; readonly password: string; readonly proof: OwnProof }
  | { readonly kind: 'keep_codes'; readonly code: string }
  | {
      readonly kind: 'add_key';
      readonly name: string;
      readonly password: string;
      readonly proof: OwnProof;
      /**
       * Called when the password and second factor were correct: later errors are about the new
       * key.
       */
      readonly onProved: () => void;
    }
  | { readonly kind: 'rename_key'; readonly id: string; readonly name: string }
  | { readonly kind: 'remove_key'; readonly id: string; readonly proof: OwnProof };

/** Makes a change. Returns the recovery codes that it created, if any. */
async function makeChange(change: FactorChange): Promise<readonly string[]> {
  switch (change.kind) {
    case 'totp_on': {
      const { data } = await otpClient.initial({ code: change.code, ...change.proof });
      return data.recovery_codes;
    }
    case 'totp_off': {
      const { proof } = change;
      await otpClient.disable('totp_code' in proof ? { code: proof.totp_code } : proof);
      return [];
    }
    case 'new_codes': {
      const password = await keys().hashPassword(change.password);
      const { data } = await secondFactorClient.renew_codes({ password, ...change.proof, confirmed: false });
      return data.recovery_codes;
    }
    case 'keep_codes':
      await secondFactorClient.confirm_codes({ code: change.code });
      return [];
    case 'add_key': {
      const password = await keys().hashPassword(change.password);
      const { data: options } = await secondFactorClient.begin_passkey({ password, ...change.proof });
      change.onProved();
      const credential = await makeKey(options);
      return (await secondFactorClient.add_passkey({ name: change.name, credential })).data.recovery_codes;
    }
    case 'rename_key':
      await secondFactorClient.rename_passkey({ id: change.id, name: change.name });
      return [];
    case 'remove_key':
      await secondFactorClient.remove_passkey({ id: change.id, ...change.proof });
      return [];
  }
}

/** Changes a second factor. The shown state is refetched whether or not the change succeeded. */
export function useFactorChange() {
  const cache = useQueryClient();
  return useMutation({
    mutationFn: makeChange,
    onSettled: () => cache.invalidateQueries({ queryKey: statusKey }),
  });
}
