// Which program runs here: its version, since when, and the key that signed it. What was refused stands here too, with the way
// to believe another key, for when the server's owner says that it has a new one.
import { ShieldX } from 'lucide-react';
import { useEffect, useState } from 'react';
import type { CodeState } from '../../lib/code-state.ts';
import { formatFullDate } from '../../lib/dates.ts';
import { t } from '../../lib/language.ts';
import { keyFingerprint, readProgram, readTitle, trustKey } from '../../platform/program.ts';
import { AlertDialog } from '../../ui/AlertDialog.tsx';
import { Banner } from '../../ui/Banner.tsx';
import { Button } from '../../ui/Button.tsx';
import { SettingsRow } from '../../ui/SettingsRow.tsx';

type Program = {
  readonly state: CodeState;
  readonly fingerprint: string;
  /** Of the key that signed what was refused; empty when nobody did. */
  readonly otherFingerprint: string;
};

const dateOf = (iso: string): string => formatFullDate(new Date(iso));

/** What is known now; reads again whenever the worker has news. */
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

/** Letters and digits to compare, which break between groups. */
function Fingerprint({ of }: { of: string }) {
  return (
    <bdi dir="ltr" className="font-mono text-meta">
      {of}
    </bdi>
  );
}

/** What was refused, and why. */
function Refused({ state: { alarm }, otherFingerprint }: Program) {
  const [isAsking, setAsking] = useState(false);
  if (alarm === null) return null;
  return (
    <div className="py-4">
      <Banner
        tone="danger"
        icon={<ShieldX size={16} />}
        title={t('A changed program was refused on {date}', { date: dateOf(alarm.at) })}
        below={
          alarm.reason === 'other-key' && (
            <Button variant="outline" size="sm" onClick={() => setAsking(true)}>
              {t('Trust the other key')}
            </Button>
          )
        }
      >
        {alarm.reason === 'other-key' ? (
          <>
            {t(
              'It is signed by another key than the one this device knows. Ask the owner of this server before you trust it:',
            )}{' '}
            <Fingerprint of={otherFingerprint} />
          </>
        ) : (
          t(
            'It is not what the key of this server has signed. Somebody may have changed it on its way, or on the server.',
          )
        )}
      </Banner>
      <AlertDialog
        open={isAsking}
        title={t('Trust the other key?')}
        confirmLabel={t('Trust')}
        onCancel={() => setAsking(false)}
        onConfirm={() => {
          trustKey(alarm.key);
          setAsking(false);
        }}
      >
        {t(
          'Whoever has this key can give you any program, also one that reads your mail. Do this only when the owner of this server has told you the fingerprint.',
        )}{' '}
        <Fingerprint of={otherFingerprint} />
      </AlertDialog>
    </div>
  );
}

/** The rows; none where nothing is known. */
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
            {t('On this device since {date}. Built of:', { date: dateOf(newest.since) })}{' '}
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
            'The key of this server, which this device has known since {date}. Another one would be refused.',
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
