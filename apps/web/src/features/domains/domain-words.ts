// What a domain's page says of its records: names of states, and what to do about a record that is not as it should be.
import type { DomainInfo, DomainRecord } from '@keyfold/contract';
import { t } from '../../lib/language.ts';

/** The state of a record in a word. */
export function stateWord(state: DomainRecord['state']): string {
  switch (state) {
    case 'found':
      return t('Found');
    case 'waiting':
      return t('Waiting');
    case 'different':
      return t('Different');
    case 'unknown':
      return t('No answer');
  }
}

/** What to do about a record; null when there is nothing to say. */
export function adviceOf({ state, advice }: DomainRecord): string | null {
  if (state === 'unknown') return t('DNS gave no answer. What was found before still counts.');
  if (state !== 'different') return null;
  switch (advice) {
    case 'add':
      return t('Add this record beside it.');
    case 'replace':
      return t('Put this value in its place.');
    case 'merge':
      return t('Put both into one record.');
    case 'keep_one':
      return t('Keep one of them, with this value.');
    case 'remove_others':
      return t('Remove the others, or they get some of your mail.');
    case 'held_elsewhere':
      return t(
        'Another account has this domain. It becomes yours once their record has been gone for three days.',
      );
    default:
      return null;
  }
}

/** The domain in a word, with the tone of its pill. */
export const healthOf = ({
  verified,
  healthy,
}: DomainInfo): { word: string; tone: 'success' | 'warn' | 'neutral' } =>
  !verified
    ? { word: t('Not proved yet'), tone: 'neutral' }
    : healthy === true
      ? { word: t('Ready'), tone: 'success' }
      : { word: t('Needs a look'), tone: 'warn' };

const purposesOf: readonly (readonly DomainRecord['purpose'][])[] = [
  ['ownership'],
  ['mx'],
  ['spf', 'dkim', 'dmarc'],
];

/** The names of the wizard's steps. */
export const stepNames = (): string[] => [t('Ownership'), t('Receiving'), t('Sending'), t('Addresses')];

/** The step at hand: the first with a needed record that is missing, else the last. Of several signing keys one is enough. */
export function stepOf({ verified, records }: DomainInfo): number {
  const isDone = (purpose: DomainRecord['purpose']): boolean => {
    const asked = records.filter(record => record.purpose === purpose && record.is_required);
    return purpose === 'dkim' ? asked.some(({ ok }) => ok) : asked.every(({ ok }) => ok);
  };
  if (!verified) return 0;
  const open = purposesOf.findIndex(purposes => !purposes.every(isDone));
  return open < 0 ? purposesOf.length : open;
}
