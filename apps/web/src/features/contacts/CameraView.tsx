// The camera picture, scanned for a QR code several times a second. The camera is on only while
// this is mounted.
import { CameraOff } from 'lucide-react';
import { useEffect, useEffectEvent, useRef, useState } from 'react';
import { cn } from '../../lib/class-names.ts';
import { t } from '../../lib/language.ts';
import { loadChunk } from '../../lib/load-chunk.ts';
import { CameraError, type CameraProblem, closeCamera, isMirror, openCamera } from '../../platform/camera.ts';
import { CAMERA_LOOK_MS } from '../../timing.ts';
import { Banner } from '../../ui/Banner.tsx';
import { Button } from '../../ui/Button.tsx';
import { Spinner } from '../../ui/Spinner.tsx';

type CameraViewProps = {
  /** Called for each code detected while mounted; repeatedly while the same code stays in view. */
  onCode: (text: string) => void;
  /** Feedback on the last code. */
  hint: string;
};

function wordsOf(problem: CameraProblem): { readonly title: string; readonly text: string } {
  switch (problem) {
    case 'refused':
      return {
        title: t('Camera access is blocked'),
        text: t('Allow camera access in your browser settings and try again, or compare another way.'),
      };
    case 'missing':
      return {
        title: t('No camera found'),
        text: t('Use an image of their code or enter their numbers instead.'),
      };
    case 'taken':
      return {
        title: t('Couldn’t start the camera'),
        text: t('Another app may be using it. Close that app and try again.'),
      };
    case 'unsupported':
      return {
        title: t('Camera unavailable in this browser'),
        text: t('Use an image of their code or enter their numbers instead.'),
      };
  }
}

/** The camera picture, or the reason why there is none. */
export function CameraView({ onCode, hint }: CameraViewProps) {
  const video = useRef<HTMLVideoElement>(null);
  const [attempt, setAttempt] = useState(0);
  const [problem, setProblem] = useState<CameraProblem>();
  const [isOn, setOn] = useState(false);
  const [isMirrored, setMirrored] = useState(false);
  const tell = useEffectEvent(onCode);

  // biome-ignore lint/correctness/useExhaustiveDependencies: another attempt restarts it.
  useEffect(() => {
    let isOver = false;
    let stream: MediaStream | undefined;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const start = async () => {
      stream = await openCamera();
      const { readQrFrame } = await loadChunk('qr', () => import('./read-qr.ts'));
      // Closed while the browser was still asking for permission.
      if (isOver || video.current === null) return closeCamera(stream);
      // Unplugged, or revoked in the browser's settings.
      stream.getVideoTracks()[0]?.addEventListener('ended', () => setProblem('taken'));
      const shown = video.current;
      shown.srcObject = stream;
      setMirrored(isMirror(stream));
      await shown.play();
      setOn(true);
      const look = async () => {
        const found = await readQrFrame(shown);
        if (isOver) return;
        if (found !== null) tell(found);
        timer = setTimeout(look, CAMERA_LOOK_MS);
      };
      await look();
    };
    setProblem(undefined);
    setOn(false);
    start().catch(error => {
      if (stream !== undefined) closeCamera(stream);
      if (!isOver) setProblem(error instanceof CameraError ? error.problem : 'taken');
    });
    return () => {
      isOver = true;
      clearTimeout(timer);
      if (stream !== undefined) closeCamera(stream);
    };
  }, [attempt]);

  if (problem !== undefined) {
    const { title, text } = wordsOf(problem);
    return (
      <Banner
        tone="warn"
        role="alert"
        icon={<CameraOff size={17} />}
        title={title}
        below={
          problem === 'unsupported' ? undefined : (
            <Button variant="inheritOutline" size="xs" onClick={() => setAttempt(count => count + 1)}>
              {t('Try again')}
            </Button>
          )
        }
      >
        {text}
      </Banner>
    );
  }
  return (
    <div className="flex flex-col gap-2">
      <div className="relative aspect-[4/3] w-full max-w-96 self-center overflow-hidden rounded-card border border-line bg-well">
        <video
          ref={video}
          muted
          playsInline
          aria-label={t('Camera view')}
          className={cn('size-full object-cover', isMirrored && '-scale-x-100')}
        />
        {isOn ? (
          <div
            aria-hidden
            className="absolute inset-0 m-auto aspect-square h-3/5 rounded-card border-2 border-on-fill outline-1 outline-shade"
          />
        ) : (
          <div className="absolute inset-0 grid place-items-center">
            <Spinner />
          </div>
        )}
      </div>
      <p role="status" className="text-center text-control text-ink-2">
        {hint}
      </p>
    </div>
  );
}
