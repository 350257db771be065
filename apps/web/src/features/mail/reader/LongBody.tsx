// Bodies that are too long to lay out at once: shows the beginning, and the rest on request.
import { memo, type ReactNode, useCallback, useEffect, useMemo, useRef, useState } from 'react';
import { t } from '../../../lib/language.ts';
import { Button } from '../../../ui/Button.tsx';
import { HEAD_TEXT_CHARACTERS, piecesOfText } from '../frame/body-head.ts';
import type { BodyView } from '../state/view-model.ts';
import { MessageText, type MessageTextProps } from './MessageText.tsx';

function Rest({ label, isComing, onShow }: { label: string; isComing: boolean; onShow: () => void }) {
  return (
    <div className="mt-3 flex flex-wrap items-center gap-x-2.5 gap-y-1 rounded-control bg-well px-3 py-1.5 text-control text-ink-2 print:hidden">
      {t('This is a long message. Only the beginning is shown.')}
      <span className="flex-1" />
      <Button variant="inherit" size="xs" disabled={isComing} onClick={onShow}>
        {label}
      </Button>
    </div>
  );
}

const Part = memo(MessageText);

/** A plain text. The rest of a very long one is added part by part. */
export function LongText({ text, isForward = false, isNotice = false, onCompose }: MessageTextProps) {
  const parts = useMemo(() => [...piecesOfText(text.trimEnd(), HEAD_TEXT_CHARACTERS)], [text]);
  const [count, setCount] = useState(1);
  const compose = useRef(onCompose);
  compose.current = onCompose;
  const composeLater = useCallback((mailto: string) => compose.current?.(mailto), []);
  return (
    <>
      {parts.slice(0, count).map((part, index) => (
        <Part
          // biome-ignore lint/suspicious/noArrayIndexKey: parts of a text keep their order
          key={index}
          text={part}
          isForward={isForward || index > 0}
          isNotice={isNotice}
          onCompose={onCompose && composeLater}
        />
      ))}
      {count < parts.length && (
        <Rest label={t('Show more')} isComing={false} onShow={() => setCount(count + 1)} />
      )}
    </>
  );
}

type LongHtmlProps = {
  body: BodyView & { kind: 'html' };
  children: (html: string) => ReactNode;
};

/** An HTML body. */
export function LongHtml({ body, children }: LongHtmlProps) {
  const { openWhole, showWhole } = body;
  const [isWanted, setIsWanted] = useState(false);
  const [whole, setWhole] = useState<{ readonly of: typeof body; readonly html: string } | null>(null);
  useEffect(() => {
    if (!isWanted || openWhole === undefined || showWhole !== undefined) return;
    let isOver = false;
    openWhole().then(
      html => {
        if (!isOver) setWhole({ of: body, html });
      },
      () => setIsWanted(false),
    );
    return () => {
      isOver = true;
    };
  }, [body, isWanted, openWhole, showWhole]);
  const isWhole = openWhole === undefined || whole?.of === body;
  return (
    <>
      {children(whole?.of === body ? whole.html : body.html)}
      {!isWhole && (
        <Rest
          label={t('Show entire message')}
          isComing={isWanted}
          onShow={() => {
            setIsWanted(true);
            showWhole?.();
          }}
        />
      )}
    </>
  );
}
