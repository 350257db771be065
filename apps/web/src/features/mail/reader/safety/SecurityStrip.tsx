// The single strip that states how far a message can be trusted. Details shows the evidence.
import {
  Bell,
  CircleHelp,
  FileLock,
  Lock,
  LockOpen,
  ShieldAlert,
  ShieldCheck,
  TriangleAlert,
} from 'lucide-react';
import { useId, useState } from 'react';
import { t } from '../../../../lib/language.ts';
import { needsReview } from '../../../../session/trust/pins.ts';
import { Banner } from '../../../../ui/Banner.tsx';
import { Button } from '../../../../ui/Button.tsx';
import type { SecurityView } from '../../state/view-model.ts';
import { verdictWords } from './worst-received.ts';

const icons = {
  verified: ShieldCheck,
  sealed: Lock,
  stored: FileLock,
  unproven: CircleHelp,
  key_changed: ShieldAlert,
  mismatch: ShieldAlert,
  failed: ShieldAlert,
  own: Lock,
  own_plain: LockOpen,
  from_self: Lock,
  notice: Bell,
} as const;

export type SecurityActions = {
  /** Opens the verify dialog. */
  onVerify?: (() => void) | undefined;
  onRetryDecrypt: () => void;
  onViewHeaders: () => void;
  onDownloadRaw: () => void;
};

type SecurityStripProps = {
  security: SecurityView;
  /** The strip is about a message other than the last one. */
  isEarlier?: boolean;
  isRetrying?: boolean;
  actions: SecurityActions;
};

/** Exactly one per conversation, below the subject. */
export function SecurityStrip({
  security,
  isEarlier = false,
  isRetrying = false,
  actions,
}: SecurityStripProps) {
  const [isUnfolded, setUnfolded] = useState(false);
  const detailsId = useId();
  const words = verdictWords(security, isEarlier);
  const Icon = icons[security.kind];
  const failed = security.kind === 'failed';
  const below = failed ? (
    <>
      <Button variant="inheritOutline" size="xs" busy={isRetrying} onClick={actions.onRetryDecrypt}>
        {t('Try again')}
      </Button>
      <Button variant="inherit" size="xs" onClick={actions.onViewHeaders}>
        {t('View headers')}
      </Button>
      <Button variant="inherit" size="xs" onClick={actions.onDownloadRaw}>
        {t('Download source')}
      </Button>
    </>
  ) : undefined;
  const canVerify = security.kind === 'sealed' || needsReview(security.kind);
  return (
    <div className="print:hidden">
      <Banner
        tone={words.tone}
        icon={<Icon size={17} />}
        title={words.title}
        role={words.tone === 'danger' ? 'alert' : undefined}
        below={below}
        actions={
          failed ? undefined : (
            <>
              {canVerify && actions.onVerify !== undefined && (
                <Button variant="inherit" size="xs" onClick={actions.onVerify}>
                  {security.kind === 'sealed' ? t('Verify') : t('Review key')}
                </Button>
              )}
              {security.details.length > 0 && (
                <Button
                  variant="inherit"
                  size="xs"
                  aria-expanded={isUnfolded}
                  aria-controls={detailsId}
                  onClick={() => setUnfolded(shown => !shown)}
                >
                  {t('Details')}
                </Button>
              )}
            </>
          )
        }
      >
        {words.text}
      </Banner>
      {security.warnings.map(warning => (
        <div key={warning} className="mt-2">
          <Banner tone="warn" icon={<TriangleAlert size={17} />} role="status">
            {warning}
          </Banner>
        </div>
      ))}
      <dl
        id={detailsId}
        hidden={!isUnfolded}
        className="mx-3 mt-2 grid [&[hidden]]:hidden grid-cols-[auto_minmax(0,1fr)] gap-x-4 gap-y-1 text-meta text-ink-2"
      >
        {security.details.map(detail => (
          <div key={detail.label} className="contents">
            <dt className="text-ink-3">{detail.label}</dt>
            <dd className="font-mono wrap-anywhere">{detail.value}</dd>
          </div>
        ))}
      </dl>
    </div>
  );
}
