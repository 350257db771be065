// Targets of an organization's links: looking up an invitation or a reset, and setting the new
// password, whose keys are generated in the key worker (docs/interpretations.md#76).

import { joiningCalls } from '@keyfold/contract/calls/joining';
import { callback, keys, lockKeys } from '../../crypto/key-client.ts';
import { clientOf } from '../calls/client.ts';

const joiningClient = clientOf(joiningCalls);

/** Returns the details of an invitation. Rejects with CallError. */
export const lookAtInvitation = async (invite: string) => (await joiningClient.invitation({ invite })).data;

/** Returns whose password a link resets. Rejects with CallError. */
export const lookAtReset = async (reset: string) => (await joiningClient.reset({ reset })).data;

/** Sets new keys under a new password, without signing in. Rejects with CallError. */
export async function setNewPassword(reset: string, email: string, password: string): Promise<void> {
  try {
    const { loginHash, mainKey } = await keys().createAccount(
      email,
      password,
      callback(() => undefined),
    );
    await joiningClient.set_password({ reset, password: loginHash, main_key: mainKey });
  } finally {
    await lockKeys();
  }
}
