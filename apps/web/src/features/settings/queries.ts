// Reads and saves what the settings show: the name and the storage use.
import { useMutation, useQuery } from '@tanstack/react-query';
import { accountClient } from '../../session/calls/clients/account.ts';
import { findUser, setUser } from '../../session/state/current-user.ts';

/** Provides the storage use by kind. */
export const useStorageUse = () =>
  useQuery({
    queryKey: ['storage-use'],
    queryFn: async () => (await accountClient.storage({})).data,
  });

/** Changes the name that others see. */
export function useChangeName() {
  return useMutation({
    mutationFn: async (name: string) => (await accountClient.change_name({ name })).data.name,
    onSuccess: name => {
      const user = findUser();
      if (user !== null) setUser({ ...user, name });
    },
  });
}
