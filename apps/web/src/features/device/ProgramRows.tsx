// The web client that runs here: its version, its installation date, and the key that signed it.
// Also shows rejected updates, with a way to trust another key if the operator announces a new one.
import { ShieldX } from 'lucide-react';
import { useEffect, useState } from 'react';
import type { CodeState } from '../../lib/code-state.ts';
import { formatFullDate } from '../../lib/dates.ts';
import { sentenceGap, t } from '../../lib/language.ts';
import { keyFingerprint, readProgram, readTitle, trustKey } from '../../platform/program.ts';
import { AlertDialog } from '../../ui/AlertDialog.tsx';
import { Banner } from '../../ui/Banner.tsx';
import { Button } from '../../ui/Button.tsx';
import { SettingsRow } from '../../ui/SettingsRow.tsx';

type Program = {
  readonly state: CodeState;
  readonly fingerprint: string;
  /** Fingerprint of the key that signed the rejected update; empty if it is unsigned. */
  readonly otherFingerprint: string;
};

const dateOf = (iso: string): string => formatFullDate(new Date(iso));

/** Returns the current state; refreshed when the service worker reports a change. */
function useProgram(): Program | null {
  const [program, setProgram] = useState<Program | null>(null);
  useEffect(() => {
    let isHere = true;
    const read = async () => {
      const state = await readProgram();
      if (state === null) return;
      const [fingerprint, otherFingerprint] = await Promise.all([
        keyFingerprint(state.key),
        keyFingerprint(state.alarm?.key ?? ''),
      ]);
      if (isHere) setProgram({ state, fingerprint, otherFingerprint });
    };
    const look = () => void read().catch(() => undefined);
    look();
    const worker = navigator.serviceWorker;
    worker?.addEventListener('message', look);
    return () => {
      isHere = false;
      worker?.removeEventListener('message', look);
    };
  }, []);
  return program;
}

/** A fingerprint to compare, which wraps only between groups. */
function Fingerprint({ of }: { of: string }) {
  return (
    <bdi dir="ltr" className="font-mono text-meta">
      {of}
    </bdi>
  );
}

/** The rejected update and the reason. */
function Refused({ state: { alarm }, otherFingerprint }: Program) {
  const [isAsking, setAsking] = useState(false);
  if (alarm === null) return null;
  return (
    <div className="py-4">
      <Banner
        tone="danger"
        icon={<ShieldX size={16} />}
        title={t('A changed version of Keyfold was blocked on {date}', { date: dateOf(alarm.at) })}
        below={
          alarm.reason === 'other-key' && (
            <Button variant="outline" size="sm" onClick={() => setAsking(true)}>
              {t('Trust the new key')}
            </Button>
          )
        }
      >
        {alarm.reason === 'other-key' ? (
          <>
            {t(
              'It’s signed with a different key than the one this device knows. Ask the administrator of this server before you trust it:',
            )}
            {sentenceGap()}
            <Fingerprint of={otherFingerprint} />
          </>
        ) : (
          t(
            'It doesn’t match what this server signed. Someone may have changed it in transit or on the server.',
          )
        )}
      </Banner>
      <AlertDialog
        open={isAsking}
        title={t('Trust the new key?')}
        confirmLabel={t('Trust')}
        onCancel={() => setAsking(false)}
        onConfirm={() => {
          trustKey(alarm.key);
          setAsking(false);
        }}
      >
        {t(
          'Anyone with this key can give you any version of Keyfold, including one that reads your mail. Only trust it if the administrator of this server gave you this fingerprint:',
        )}
        {sentenceGap()}
        <Fingerprint of={otherFingerprint} />
      </AlertDialog>
    </div>
  );
}

/** The rows; empty when nothing is known. */
export function ProgramRows() {
  const program = useProgram();
  const newest = program?.state.versions[0];
  if (program === null || newest === undefined) return null;
  const { version, code } = readTitle(newest.title);
  return (
    <>
      <Refused {...program} />
      <SettingsRow
        label={t('Version {version}', { version })}
        text={
          <>
            {t('On this device since {date}. Source fingerprint:', { date: dateOf(newest.since) })}
            {sentenceGap()}
            <Fingerprint of={code} />
          </>
        }
      >
        {null}
      </SettingsRow>
      {program.fingerprint !== '' && (
        <SettingsRow
          label={t('Signed by')}
          text={t(
            'This server’s key, known to this device since {date}. Code signed with another key is blocked.',
            {
              date: dateOf(program.state.pinned_at),
            },
          )}
        >
          <Fingerprint of={program.fingerprint} />
        </SettingsRow>
      )}
    </>
  );
}
