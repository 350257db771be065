// Reads the active sessions and past sign-ins, and ends sessions.
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { loadChunk } from '../../lib/load-chunk.ts';
import { isNative } from '../../native/is-native.ts';
import { accountClient } from '../../session/calls/clients/account.ts';
import { keyRotationClient } from '../../session/calls/clients/key-rotation.ts';

const sessionsKey = ['own-sessions'] as const;

/** Provides the active sessions, this device first. */
export const useSessions = () =>
  useQuery({
    queryKey: sessionsKey,
    queryFn: async () => (await accountClient.sessions({})).data,
    staleTime: 0,
  });

/** Provides the sign-ins of the last 90 days, newest first. */
export const useLogins = () =>
  useQuery({
    queryKey: ['own-logins'],
    queryFn: async () => (await accountClient.logins({})).data,
    staleTime: 0,
  });

/** Provides the replaced keys, newest first. Refetched when the work on old mail has finished. */
export const useRetiredKeys = (isWorkDone: boolean) =>
  useQuery({
    queryKey: ['retired-keys', isWorkDone],
    queryFn: async () => (await keyRotationClient.retired({})).data,
    placeholderData: before => before,
    staleTime: 0,
  });

async function dropBiometrics(): Promise<void> {
  const login = await loadChunk('biometrics', () => import('../../session/sign-in/biometric-login.ts'));
  await login.dropBiometrics();
}

/** Ends one session by its id, or all others with null. */
export function useEndSessions() {
  const cache = useQueryClient();
  return useMutation({
    mutationFn: async (id: string | null) => {
      if (id === null) {
        await accountClient.end_other_sessions({});
        // The server has ended every biometric sign-in, including this phone's.
        if (isNative()) await dropBiometrics();
      } else await accountClient.end_session({ id });
    },
    onSettled: () => cache.invalidateQueries({ queryKey: sessionsKey }),
  });
}
