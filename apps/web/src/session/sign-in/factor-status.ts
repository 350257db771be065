// Which second factors are on, as the server has it now. The user that screens show is kept in step: another device, or the
// operator, may have changed it since this page was loaded.
import type { SecondFactorStatus } from '@keyfold/contract';
import { secondFactorClient } from '../calls/clients/second-factor.ts';
import { findUser, setUser } from '../state/current-user.ts';

/** Asks. Rejects with CallError. */
export async function readFactorStatus(): Promise<SecondFactorStatus> {
  const { data } = await secondFactorClient.status({});
  const user = findUser();
  const isStale = user?.totp_active !== data.totp_active || user.passkeys !== data.passkeys.length;
  if (user !== null && isStale)
    setUser({ ...user, totp_active: data.totp_active, passkeys: data.passkeys.length });
  return data;
}
