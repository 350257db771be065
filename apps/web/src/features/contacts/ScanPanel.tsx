// Compares with the other screen: by scanning its code with the camera or from a picture, or by
// pasting or typing its number.
import { Camera, ImageUp } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import { t } from '../../lib/language.ts';
import { loadChunk } from '../../lib/load-chunk.ts';
import { Button } from '../../ui/Button.tsx';
import { TextField } from '../../ui/TextField.tsx';
import { CameraView } from './CameraView.tsx';
import { isSameNumber, readNumber } from './SafetyNumber.tsx';

type ScanPanelProps = {
  number: string;
  onMatch: (how: 'scanned' | 'compared') => void;
  onMismatch: () => void;
};

/** The panel below the safety number. */
export function ScanPanel({ number, onMatch, onMismatch }: ScanPanelProps) {
  const file = useRef<HTMLInputElement>(null);
  const panel = useRef<HTMLDivElement>(null);
  const [text, setText] = useState('');
  const [problem, setProblem] = useState<string>();
  const [isReading, setReading] = useState(false);
  const [isLooking, setLooking] = useState(true);
  const [isOther, setOther] = useState(false);
  // The panel opens below the number, on a phone outside the visible area.
  useEffect(() => {
    panel.current?.scrollIntoView({ block: 'nearest' });
  }, []);
  const compare = (found: string, how: 'scanned' | 'compared') => {
    setProblem(undefined);
    // The camera would report the same result repeatedly.
    setLooking(false);
    if (isSameNumber(found, number)) onMatch(how);
    else onMismatch();
  };
  const see = (found: string) => {
    const isNumber = readNumber(found) !== null;
    setOther(!isNumber);
    if (isNumber) compare(found, 'scanned');
  };
  const read = async (picture: File) => {
    setReading(true);
    const { readQr } = await loadChunk('qr', () => import('./read-qr.ts'));
    const found = await readQr(picture);
    setReading(false);
    if (found === null) setProblem(t('No code found in this image'));
    else if (readNumber(found) === null) setProblem(t('This QR code isn’t a safety number'));
    else compare(found, 'scanned');
  };
  return (
    <div ref={panel} className="mt-4 flex flex-col gap-3 rounded-card border border-line p-4">
      {isLooking ? (
        <CameraView
          onCode={see}
          hint={isOther ? t('This QR code isn’t a safety number') : t('Place their code inside the frame.')}
        />
      ) : (
        <Button
          variant="outline"
          className="self-start"
          onClick={() => {
            setOther(false);
            setLooking(true);
          }}
        >
          <Camera size={16} />
          {t('Scan again')}
        </Button>
      )}
      <div className="flex flex-wrap items-center gap-3">
        <Button
          variant="outline"
          busy={isReading}
          onClick={() => {
            file.current?.click();
          }}
        >
          <ImageUp size={16} />
          {t('Scan from image')}
        </Button>
        <span className="text-meta text-ink-3">
          {t('The image is read on this device and never uploaded.')}
        </span>
        <input
          ref={file}
          type="file"
          accept="image/*"
          aria-label={t('Scan from image')}
          tabIndex={-1}
          className="sr-only"
          onChange={event => {
            const [picture] = event.target.files ?? [];
            event.target.value = '';
            if (picture !== undefined) void read(picture).catch(() => setReading(false));
          }}
        />
      </div>
      <TextField
        label={t('Or enter their numbers')}
        mono
        dir="ltr"
        inputMode="numeric"
        autoComplete="off"
        value={text}
        error={problem}
        onChange={next => {
          setText(next);
          setProblem(undefined);
          if (readNumber(next) !== null) compare(next, 'compared');
        }}
      />
    </div>
  );
}
