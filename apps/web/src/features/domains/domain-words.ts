// Texts about a domain's records: names of states, and what to do about a record that is not
// correct.
import type { DomainInfo, DomainRecord } from '@keyfold/contract';
import { t } from '../../lib/language.ts';

/** Returns the name of a record's state. */
export function stateWord(state: DomainRecord['state']): string {
  switch (state) {
    case 'found':
      return t('Found');
    case 'waiting':
      return t('Waiting');
    case 'different':
      return t('Different');
    case 'unknown':
      return t('No response');
  }
}

/** Returns what to do about a record, or null. */
export function adviceOf({ state, advice }: DomainRecord): string | null {
  if (state === 'unknown') return t('DNS didn’t respond. The last known result still applies.');
  if (state !== 'different') return null;
  switch (advice) {
    case 'add':
      return t('Keep the existing record and add this one.');
    case 'replace':
      return t('Replace it with this value.');
    case 'merge':
      return t('Combine both values in one record.');
    case 'keep_one':
      return t('Keep only one record, with this value.');
    case 'remove_others':
      return t('Remove the other records. Otherwise, some of your mail goes to their servers.');
    case 'held_elsewhere':
      return t(
        'Another account has verified this domain. It becomes yours once that account’s DNS record has been missing for 3 days.',
      );
    default:
      return null;
  }
}

/** Returns the state of the domain as a word, with the tone of its pill. */
export const healthOf = ({
  verified,
  healthy,
}: DomainInfo): { word: string; tone: 'success' | 'warn' | 'neutral' } =>
  !verified
    ? { word: t('Not verified yet'), tone: 'neutral' }
    : healthy === true
      ? { word: t('Ready'), tone: 'success' }
      : { word: t('Needs attention'), tone: 'warn' };

const purposesOf: readonly (readonly DomainRecord['purpose'][])[] = [
  ['ownership'],
  ['mx'],
  ['spf', 'dkim', 'dmarc'],
];

/** Returns the names of the wizard's steps. */
export const stepNames = (): string[] => [t('Ownership'), t('Receiving'), t('Sending'), t('Addresses')];

/**
 * Returns the current step: the first one with a missing required record, else the last. One
 * signing key of several is enough.
 */
export function stepOf({ verified, records }: DomainInfo): number {
  const isDone = (purpose: DomainRecord['purpose']): boolean => {
    const asked = records.filter(record => record.purpose === purpose && record.is_required);
    return purpose === 'dkim' ? asked.some(({ ok }) => ok) : asked.every(({ ok }) => ok);
  };
  if (!verified) return 0;
  const open = purposesOf.findIndex(purposes => !purposes.every(isDone));
  return open < 0 ? purposesOf.length : open;
}
