// Reads and saves what the settings show: the name, and what the storage is used for.
import { useMutation, useQuery } from '@tanstack/react-query';
import { settingsClient } from '../../session/calls/settings-client.ts';
import { findUser, setUser } from '../../session/state/current-user.ts';

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
