// Reads and changes the security settings: the spam filter and the lists of senders
// (docs/spec-map.md 3, 8).
import type { SecuritySettings } from '@keyfold/contract';
import { CallError } from '@keyfold/contract/client';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { securityClient } from '../../session/calls/clients/security.ts';
import { requireWhole } from '../../session/calls/whole-list.ts';

const settingsKey = ['security-settings'] as const;

/** Defaults when no settings were saved (docs/spec-map.md 8.24). */
const defaults: SecuritySettings = {
  spam_filters: { enabled: false, sensitivity: 'medium', custom_rules: [] },
  whitelist: [],
  blacklist: [],
  updated_at: null,
};

/** Fetches the settings from the server. A 404 yields the defaults. */
async function fetchSettings(): Promise<SecuritySettings> {
  try {
    return (await securityClient.settings({})).data;
  } catch (error) {
    if (error instanceof CallError && error.status === 404) return defaults;
    throw error;
  }
}

/** Provides the settings, live. */
export const useSecuritySettings = () => useQuery({ queryKey: settingsKey, queryFn: fetchSettings });

/** A function that returns the changed settings. */
export type SettingsChange = (settings: SecuritySettings) => SecuritySettings;

/**
 * Changes the settings: first on the screen, then one change after another on the server's current
 * settings, so that a sender who was blocked meanwhile from a list or on another device is not
 * lost.
 */
export function useChangeSecuritySettings() {
  const cache = useQueryClient();
  return useMutation({
    mutationKey: settingsKey,
    scope: { id: 'security-settings' },
    mutationFn: async (change: SettingsChange) => {
      const now = await fetchSettings();
      requireWhole(now.spam_filters.custom_rules, now.whitelist, now.blacklist);
      const { updated_at: _, ...settings } = change(now);
      return (await securityClient.save_settings(settings)).data;
    },
    onMutate: async change => {
      await cache.cancelQueries({ queryKey: settingsKey });
      cache.setQueryData<SecuritySettings>(settingsKey, before =>
        before === undefined ? before : change(before),
      );
    },
    onSuccess: settings => {
      // While further changes are pending, this answer does not include them, but the screen does.
      if (cache.isMutating({ mutationKey: settingsKey }) === 1) cache.setQueryData(settingsKey, settings);
    },
    onError: () => cache.invalidateQueries({ queryKey: settingsKey }),
  });
}
