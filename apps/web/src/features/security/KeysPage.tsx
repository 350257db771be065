// `/app/security/keys`: the current keys, their replacement, and the state of retired keys
// (docs/crypto.md, Retired keys).
import type { User } from '@keyfold/contract';
import { Download } from 'lucide-react';
import { useState } from 'react';
import { Link } from 'react-router';
import { sentenceGap, t } from '../../lib/language.ts';
import { securityPath } from '../../paths.ts';
import { saveFile } from '../../platform/save-file.ts';
import { AskedFor } from '../../session/calls/AskedFor.tsx';
import { useUser } from '../../session/state/current-user.ts';
import { useRewrapState } from '../../session/trust/rewrap-state.ts';
import { Button } from '../../ui/Button.tsx';
import { SettingsPage } from '../../ui/SettingsPage.tsx';
import { DestroyKeysDialog } from './DestroyKeysDialog.tsx';
import { NewKeysDialog } from './NewKeysDialog.tsx';
import { useRetiredKeys } from './queries.ts';
import { RetiredKeyRow } from './RetiredKeyRow.tsx';

/** Saves the user's public keys as a file, in the format of `/user/keys`. */
function savePublicKeys({ email, main_key }: User): void {
  const { mlkem_public_key: mlkem_public, dh_public_key: dh_public, key_id: fingerprint } = main_key;
  const text = JSON.stringify({ email, mlkem_public, dh_public, fingerprint }, null, 2);
  void saveFile(new Blob([text]), `keyfold-keys-${email}.json`);
}

export function KeysPage() {
  const user = useUser();
  const work = useRewrapState();
  const query = useRetiredKeys(work.waiting === 0);
  const [isMaking, setMaking] = useState(false);
  const [destroyed, setDestroyed] = useState<string | null>(null);
  if (user === null) return null;
  const ending = query.data?.find(one => one.key_id === destroyed);
  const hasRetired = user.retired_keys.length > 0;
  return (
    <SettingsPage
      title={t('Keys')}
      text={t(
        'Mail to you is encrypted with your keys. They’re created on your device and locked with your password.',
      )}
    >
      <div className="flex flex-col gap-6">
        <section className="flex flex-wrap items-center gap-4 rounded-card border border-line p-4">
          <div className="min-w-60 flex-1">
            <h2 className="font-medium">{t('Current keys')}</h2>
            <p className="text-control text-ink-2">
              {t('Fingerprint')}{' '}
              <code dir="ltr" className="block w-fit font-mono text-meta break-all">
                {user.main_key.key_id}
              </code>
            </p>
          </div>
          <div className="ms-auto flex flex-wrap justify-end gap-2">
            <Button variant="outline" onClick={() => savePublicKeys(user)}>
              <Download size={16} />
              {t('Download public keys')}
            </Button>
            <Button variant="outline" onClick={() => setMaking(true)}>
              {t('Create new keys')}
            </Button>
          </div>
        </section>
        {hasRetired && user.recovery_at === null && (
          <p className="text-control text-ink-2">
            {t('Your recovery kit stopped working when you replaced your keys.')}
            {sentenceGap()}
            <Link to={securityPath('recovery')} className="font-medium text-accent-text underline">
              {t('Create a recovery kit')}
            </Link>
          </p>
        )}
        {hasRetired && (
          <section className="flex flex-col gap-2">
            <h2 className="text-pane font-semibold">{t('Old keys')}</h2>
            <AskedFor query={query} bars={['h-16 w-full']} text={t('Couldn’t load your old keys.')}>
              {retired => (
                <ul aria-label={t('Old keys')} className="rounded-card border border-line">
                  {retired.map((one, at) => (
                    <RetiredKeyRow
                      key={one.key_id}
                      retired={one}
                      // The work covers all retired keys; its count is shown beside the newest.
                      work={at === 0 ? work : null}
                      onDestroy={() => setDestroyed(one.key_id)}
                    />
                  ))}
                </ul>
              )}
            </AskedFor>
          </section>
        )}
      </div>
      {isMaking && <NewKeysDialog onClose={() => setMaking(false)} />}
      {ending !== undefined && (
        <DestroyKeysDialog
          retired={ending}
          onError={() => void query.refetch()}
          onClose={() => setDestroyed(null)}
        />
      )}
    </SettingsPage>
  );
}
