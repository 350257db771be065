// Chooses how the body of a message is rendered, or shows a notice when there is nothing to render.
import { useEffect, useState } from 'react';
import { Link } from 'react-router';
import { cn } from '../../../lib/class-names.ts';
import { t } from '../../../lib/language.ts';
import { QUIET_WAIT_MS, slowOpenMs } from '../../../timing.ts';
import { Button } from '../../../ui/Button.tsx';
import { Skeleton } from '../../../ui/Skeleton.tsx';
import { MessageFrame } from '../frame/MessageFrame.tsx';
import type { BodyView, NoticeAction } from '../state/view-model.ts';
import { BounceBody } from './BounceBody.tsx';
import { LongHtml, LongText } from './LongBody.tsx';

/** Returns whether `waitMs` milliseconds have passed since the component's first render. */
function useAfter(waitMs: number): boolean {
  const [isPast, setPast] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setPast(true), waitMs);
    return () => clearTimeout(timer);
  }, [waitMs]);
  return isPast;
}

/** The links below a notice, if any. */
function NoticeActions({ actions }: { actions: readonly NoticeAction[] }) {
  if (actions.length === 0) return null;
  return (
    <div className="mt-4 flex flex-wrap gap-2 print:hidden">
      {actions.map(({ label, path, isAlarm }) => (
        <Link
          key={label}
          to={path}
          className={cn(
            'inline-flex h-9 items-center rounded-control border border-line-strong px-3.5 text-control font-semibold hover:bg-hover pointer-coarse:h-11',
            isAlarm ? 'text-danger' : 'text-ink',
          )}
        >
          {label}
        </Link>
      ))}
    </div>
  );
}

type MessageBodyProps = {
  body: BodyView;
  theme: 'light' | 'dark';
  /** Colored messages are recolored for dark mode instead of being shown on white. */
  showsDark: boolean;
  onShowDark: (value: boolean) => void;
  onCompose: (mailto: string) => void;
};

function Strip({ children }: { children: React.ReactNode }) {
  return (
    <div className="mb-3 flex flex-wrap items-center gap-x-2.5 gap-y-1 rounded-control bg-well px-3 py-1.5 text-control text-ink-2 print:hidden">
      {children}
    </div>
  );
}

/** The body, or a notice in its place. */
export function MessageBody({ body, theme, showsDark, onShowDark, onCompose }: MessageBodyProps) {
  if (body.kind === 'loading') return <BodySkeleton />;
  if (body.kind === 'empty') return <p className="text-ink-3">{t('This message has no text')}</p>;
  if (body.kind === 'failed')
    return <p className="text-ink-3">{t('(Email content could not be processed)')}</p>;
  if (body.kind === 'bounce') return <BounceBody report={body.report} text={body.text} />;
  const recovered = body.recovered && (
    <Strip>{t('This message was damaged. Only its readable parts are shown.')}</Strip>
  );
  if (body.kind === 'text') {
    return (
      <>
        {recovered}
        <LongText
          text={body.text}
          isForward={body.isForward}
          isNotice={body.isNotice ?? false}
          onCompose={onCompose}
        />
        {body.actions !== undefined && <NoticeActions actions={body.actions} />}
      </>
    );
  }
  const isColored = theme === 'dark' && body.hasOwnColors;
  const look = isColored ? (showsDark ? 'recoloured' : 'paper') : theme;
  return (
    <>
      {recovered}
      {isColored && (
        <Strip>
          {showsDark
            ? t('Colors adjusted for dark mode')
            : t('This message sets its own colors, so it’s shown on a light background.')}
          <span className="flex-1" />
          <Button variant="inherit" size="xs" onClick={() => onShowDark(!showsDark)}>
            {showsDark ? t('Show original colors') : t('Use dark colors')}
          </Button>
        </Strip>
      )}
      <LongHtml body={body}>
        {html => <MessageFrame html={html} look={look} foldsQuotes={!body.isForward} onCompose={onCompose} />}
      </LongHtml>
    </>
  );
}

/** Gray lines in place of the text once loading takes long enough to notice, and later a text. */
function BodySkeleton() {
  const isSlow = useAfter(slowOpenMs);
  const isSeen = useAfter(QUIET_WAIT_MS);
  return (
    <div role="status" aria-label={t('Decrypting')} className="flex min-h-24 flex-col gap-2.5 py-1">
      {isSeen && (
        <>
          <Skeleton className="h-3.5 w-1/3" />
          <Skeleton className="h-3.5 w-11/12" />
          <Skeleton className="h-3.5 w-4/5" />
          <Skeleton className="h-3.5 w-3/5" />
        </>
      )}
      {isSlow && <p className="text-meta text-ink-3">{t('Decrypting…')}</p>}
    </div>
  );
}
