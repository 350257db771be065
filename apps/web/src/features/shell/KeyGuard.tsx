// Checks the user's own addresses in the key log periodically and shows warnings. Also resumes
// rewrapping old mail after a key replacement. Loaded once the list is rendered.
import { useEffect } from 'react';
import { loadChunk } from '../../lib/load-chunk.ts';
import { useUser } from '../../session/state/current-user.ts';
import { useKeyAlarm } from '../../session/trust/key-alarm.ts';
import { checkOwnAddresses } from '../../session/trust/key-log.ts';
import { KEY_WATCH_ROUND_MS } from '../../timing.ts';
import { KeyAlarmBar } from './KeyAlarmBar.tsx';

// Without a connection there is nothing to check; the next round is soon enough.
const look = (): void => void checkOwnAddresses().catch(() => undefined);

/** Renders the key log warning, while there is one. */
export function KeyGuard() {
  const alarm = useKeyAlarm();
  const hasRetired = (useUser()?.retired_keys.length ?? 0) > 0;
  useEffect(() => {
    look();
    const rounds = setInterval(look, KEY_WATCH_ROUND_MS);
    return () => clearInterval(rounds);
  }, []);
  useEffect(() => {
    if (!hasRetired) return;
    void loadChunk('rewrap', () => import('../../session/trust/rewrap-mail.ts')).then(
      ({ startRewrap }) => startRewrap(),
      () => undefined,
    );
  }, [hasRetired]);
  return alarm === null ? null : <KeyAlarmBar alarm={alarm} />;
}
