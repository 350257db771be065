// Which second factors are on, according to the server. Also updates the displayed user, because
// another device or the operator may have changed them since this page was loaded.
import type { SecondFactorStatus } from '@keyfold/contract';
import { secondFactorClient } from '../calls/clients/second-factor.ts';
import { findUser, setUser } from '../state/current-user.ts';

/** Fetches the status. Rejects with CallError. */
export async function readFactorStatus(): Promise<SecondFactorStatus> {
  const { data } = await secondFactorClient.status({});
  const user = findUser();
  const isStale = user?.totp_active !== data.totp_active || user.passkeys !== data.passkeys.length;
  if (user !== null && isStale)
    setUser({ ...user, totp_active: data.totp_active, passkeys: data.passkeys.length });
  return data;
}
