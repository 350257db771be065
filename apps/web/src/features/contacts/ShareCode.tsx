// The user's share code: shown once with its remaining lifetime, as text and as a QR code.
import { useMutation, useQuery } from '@tanstack/react-query';
import { Share2 } from 'lucide-react';
import { t } from '../../lib/language.ts';
import { useCountdown } from '../../lib/later.ts';
import { callErrorText } from '../../session/calls/error-text.ts';
import { SHARE_CODE_POLL_MS } from '../../timing.ts';
import { Button } from '../../ui/Button.tsx';
import { SecretCopyButton } from '../../ui/SecretCopyButton.tsx';
import { isShareCodeUsed, makeShareCode } from './changes.ts';

const MINUTE_SECONDS = 60;

/** A button, and the code once it has been created. */
export function ShareCode() {
  const make = useMutation({ mutationFn: makeShareCode });
  return (
    <div className="rounded-card border border-line p-4">
      <div className="flex flex-wrap items-center gap-3">
        <div className="min-w-48 flex-1">
          <div className="font-medium">{t('Share my code')}</div>
          <div className="text-control text-ink-2">
            {t(
              'Give this code to one person, face to face or on a call. When they enter it, you become their verified contact.',
            )}
          </div>
        </div>
        <Button variant="outline" busy={make.isPending} onClick={() => make.mutate()}>
          <Share2 size={16} />
          {make.data === undefined ? t('Create code') : t('Create new code')}
        </Button>
      </div>
      {make.error !== null && (
        <p role="alert" className="mt-2 text-control text-danger">
          {callErrorText(make.error)}
        </p>
      )}
      {make.data !== undefined && <Shown key={make.data.text} {...make.data} />}
    </div>
  );
}

function Shown({ text, expiresAt }: { text: string; expiresAt: number }) {
  const seconds = useCountdown(expiresAt);
  const { data: isUsed } = useQuery({
    queryKey: ['share-code', expiresAt],
    queryFn: () => isShareCodeUsed(text),
    refetchInterval: ({ state }) => (state.data === true || seconds === 0 ? false : SHARE_CODE_POLL_MS),
    gcTime: 0,
    retry: false,
  });
  if (isUsed === true) {
    return (
      <p role="status" className="mt-3 text-control text-ink-2">
        {t('Your code has been used and no longer works.')}
      </p>
    );
  }
  if (seconds === 0) {
    return (
      <p role="status" className="mt-3 text-control text-ink-2">
        {t('This code has expired. Create a new one.')}
      </p>
    );
  }
  const clock = `${Math.floor(seconds / MINUTE_SECONDS)}:${String(seconds % MINUTE_SECONDS).padStart(2, '0')}`;
  return (
    <div className="mt-3 flex flex-wrap items-center gap-2 rounded-control bg-well px-3 py-2">
      <code
        dir="ltr"
        data-share-code
        className="min-w-0 flex-1 basis-60 font-mono text-control font-semibold break-all"
      >
        {text}
      </code>
      <SecretCopyButton text={text} label={t('Copy code')} />
      <span role="timer" className="text-meta text-ink-2 tabular-nums">
        {t('Single use, expires in {time}', { time: clock })}
      </span>
    </div>
  );
}
