// The safety number: sixty digits in twelve groups that both users see, next to the same number as
// a QR code. Also parses pasted or typed numbers.
import { t } from '../../lib/language.ts';
import { QrCode } from '../../ui/QrCode.tsx';
import { Skeleton } from '../../ui/Skeleton.tsx';

const prefix = 'KEYFOLD:';
const DIGIT_COUNT = 60;

/** Returns the text in the QR code of a number. */
export const toQrText = (number: string): string => prefix + number.replaceAll(' ', '');

/**
 * Returns the sixty digits of a text, with any separators; null when there are more or fewer
 * digits, or other words.
 */
export function readNumber(text: string): string | null {
  const digits = text.trim().toUpperCase().replace(prefix, '').replace(/[\s-]/g, '');
  return digits.length === DIGIT_COUNT && /^[0-9]+$/.test(digits) ? digits : null;
}

/** Returns whether a text is this number. */
export const isSameNumber = (text: string, number: string): boolean =>
  readNumber(text) === number.replaceAll(' ', '');

/** `number` is null while it is computed. */
export function SafetyNumber({ number }: { number: string | null }) {
  const groups = number?.split(' ') ?? Array.from({ length: 12 }, () => '');
  return (
    <div className="flex flex-wrap items-center gap-5">
      <div className="size-40 overflow-hidden rounded-card border border-line bg-white">
        {number !== null && <QrCode text={toQrText(number)} label={t('QR code of the safety number')} />}
      </div>
      <ol
        dir="ltr"
        aria-label={t('Safety number')}
        aria-busy={number === null}
        className="grid grid-cols-4 gap-x-4 gap-y-1.5 font-mono text-subject font-semibold tabular-nums max-pane:grid-cols-3 max-pane:text-pane"
      >
        {groups.map((group, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: the groups have places and nothing else
          <li key={index}>{group === '' ? <Skeleton className="h-6 w-16" /> : group}</li>
        ))}
      </ol>
    </div>
  );
}
