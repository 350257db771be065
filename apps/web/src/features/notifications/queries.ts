// Push as the settings show it: what the server offers, the user's devices, and switching this one
// on and off.
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { pushDevice } from '../../platform/push.ts';
import { notificationsClient } from '../../session/calls/clients/notifications.ts';
import { isPushOn, turnPushOff, turnPushOn } from '../../session/news/push.ts';
import { startPushPage } from '../../session/news/push-page.ts';

const pushKey = ['push'] as const;

/**
 * Provides the available push services, the user's devices, and whether this device may notify and
 * is registered.
 */
export const usePush = () =>
  useQuery({
    queryKey: pushKey,
    queryFn: async () => {
      const [{ data }, permission] = await Promise.all([
        notificationsClient.status({}),
        pushDevice().findPermission(),
      ]);
      return { ...data, permission, isOnHere: isPushOn() };
    },
    staleTime: 0,
  });

/** Registers this device with the server's key, or unregisters it with null. */
export function useSwitchPush() {
  const cache = useQueryClient();
  return useMutation({
    mutationFn: async (serverKey: string | null) => {
      if (serverKey === null) return turnPushOff();
      await turnPushOn(serverKey);
      startPushPage();
    },
    onSettled: () => cache.invalidateQueries({ queryKey: pushKey }),
  });
}

/** Removes another device. */
export function useRemovePushDevice() {
  const cache = useQueryClient();
  return useMutation({
    mutationFn: (id: string) => notificationsClient.remove_device({ id }),
    onSettled: () => cache.invalidateQueries({ queryKey: pushKey }),
  });
}
