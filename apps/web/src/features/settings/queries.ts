// Reads and saves what the settings show: the security settings with the lists of senders (Spec §3 and §8), the name, and
// what the storage is used for.
import type { SecuritySettings } from '@keyfold/contract';
import { CallError } from '@keyfold/contract/client';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { client } from '../../session/client.ts';
import { findUser, setUser } from '../../session/current-user.ts';
import { settingsClient } from '../../session/settings-client.ts';

const settingsKey = ['security-settings'] as const;

/** What counts when nothing was ever saved (Spec §8). */
const defaults: SecuritySettings = {
  spam_filters: { enabled: false, sensitivity: 'medium', custom_rules: [] },
  whitelist: [],
  blacklist: [],
  updated_at: null,
};

/** The settings, live; a 404 yields the defaults. */
export const useSecuritySettings = () =>
  useQuery({
    queryKey: settingsKey,
    queryFn: async (): Promise<SecuritySettings> => {
      try {
        return (await client.organising.security_settings({})).data;
      } catch (error) {
        if (error instanceof CallError && error.status === 404) return defaults;
        throw error;
      }
    },
  });

/** What the storage is used for. */
export const useStorageUse = () =>
  useQuery({
    queryKey: ['storage-use'],
    queryFn: async () => (await settingsClient.account.storage({})).data,
  });

/** Changes the name that others see. */
export function useChangeName() {
  return useMutation({
    mutationFn: async (name: string) => (await settingsClient.account.change_name({ name })).data.name,
    onSuccess: name => {
      const user = findUser();
      if (user !== null) setUser({ ...user, name });
    },
  });
}

/** Replaces the settings. */
export function useSaveSecuritySettings() {
  const cache = useQueryClient();
  return useMutation({
    mutationFn: async ({ updated_at: _, ...settings }: SecuritySettings) =>
      (await client.organising.save_security_settings(settings)).data,
    onSuccess: settings => cache.setQueryData(settingsKey, settings),
  });
}
