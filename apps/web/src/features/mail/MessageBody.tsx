// Chooses how the body of a message is painted, and says so when there is nothing to paint.
import { useState } from 'react';
import { Button } from '../../ui/Button.tsx';
import { Skeleton } from '../../ui/Skeleton.tsx';
import { MessageFrame } from './MessageFrame.tsx';
import { MessageText } from './MessageText.tsx';
import type { BodyView } from './view-model.ts';

interface MessageBodyProps {
  body: BodyView;
  theme: 'light' | 'dark';
  allowsRemote: boolean;
  onCompose: (address: string) => void;
}

function Strip({ children }: { children: React.ReactNode }) {
  return (
    <div className="mb-3 flex flex-wrap items-center gap-x-2.5 gap-y-1 rounded-control bg-well px-3 py-1.5 text-control text-ink-2 print:hidden">
      {children}
    </div>
  );
}

/** The body, or the sentence that stands in its place. */
export function MessageBody({ body, theme, allowsRemote, onCompose }: MessageBodyProps) {
  const [forcesDark, setForcesDark] = useState(false);
  if (body.kind === 'loading') {
    return (
      <div role="status" aria-label="Decrypting" className="flex flex-col gap-2.5 py-1">
        <Skeleton className="h-3.5 w-1/3" />
        <Skeleton className="h-3.5 w-11/12" />
        <Skeleton className="h-3.5 w-4/5" />
        <Skeleton className="h-3.5 w-3/5" />
      </div>
    );
  }
  if (body.kind === 'empty') return <p className="text-ink-3">This message has no text</p>;
  if (body.kind === 'failed') return <p className="text-ink-3">(Email content could not be processed)</p>;
  const recovered = body.recovered && <Strip>This message was damaged; we rebuilt what could be read</Strip>;
  if (body.kind === 'text') {
    return (
      <>
        {recovered}
        <MessageText text={body.text} />
      </>
    );
  }
  const isPaper = theme === 'dark' && body.hasOwnColors && !forcesDark;
  return (
    <>
      {recovered}
      {theme === 'dark' && body.hasOwnColors && (
        <Strip>
          {isPaper
            ? 'This message brings its own colours, so it is shown on paper.'
            : 'Shown on a dark ground.'}
          <span className="flex-1" />
          <Button variant="inherit" size="xs" onClick={() => setForcesDark(dark => !dark)}>
            {isPaper ? 'Show dark' : 'Show on paper'}
          </Button>
        </Strip>
      )}
      <MessageFrame
        html={body.html}
        theme={theme}
        isPaper={isPaper}
        allowsRemote={allowsRemote}
        onCompose={onCompose}
      />
    </>
  );
}
