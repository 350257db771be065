// Warnings about a sender: a different address in the name, replies that go elsewhere, a lookalike
// domain. Does not state what was proven; the security strip does.

import { t } from '../../../../lib/language.ts';
import { asciiHostOf, isForeignHost, lookAlikeOf, mixesScripts } from '../../../../lib/look-alikes.ts';
import type { PersonView } from '../../state/view-model.ts';

export type SenderFacts = {
  readonly from: PersonView;
  readonly replyTo: readonly PersonView[];
  /** Hosts that the user knows: their own, and those of their contacts. */
  readonly knownHosts: Iterable<string>;
  readonly ownAddresses: ReadonlySet<string>;
};

const addressInName = /[\p{L}\p{N}._%+-]{1,64}@(?:[\p{L}\p{N}-]{1,63}\.){1,5}[\p{L}]{2,24}/u;

const hostOf = (address: string): string => address.slice(address.lastIndexOf('@') + 1).toLowerCase();

const isSameSite = (one: string, other: string): boolean =>
  one === other || one.endsWith(`.${other}`) || other.endsWith(`.${one}`);

/** Returns the warnings about a sender, usually none. */
export function senderWarnings({ from, replyTo, knownHosts, ownAddresses }: SenderFacts): string[] {
  const warnings: string[] = [];
  const address = from.address.toLowerCase();
  const host = hostOf(address);
  const named = addressInName.exec(from.name)?.[0];
  if (named !== undefined && named.toLowerCase() !== address)
    warnings.push(
      t('The name says {named}, but the message is from {address}.', { named, address: from.address }),
    );
  const known = [...knownHosts].filter(one => one !== '');
  const alike = host === '' ? null : lookAlikeOf(host, known);
  if (alike !== null)
    warnings.push(
      t('{host} looks like {known}, but it’s a different domain.', {
        host: asciiHostOf(host) ?? host,
        known: alike,
      }),
    );
  else if (mixesScripts(host) || (isForeignHost(host) && host.startsWith('xn--')))
    warnings.push(
      t('The sender’s domain uses letters that can be mistaken for others. Its technical name is {host}.', {
        host: asciiHostOf(host) ?? host,
      }),
    );
  const elsewhere = replyTo.find(one => {
    const other = hostOf(one.address);
    return other !== '' && !isSameSite(other, host) && !ownAddresses.has(one.address.toLowerCase());
  });
  if (elsewhere !== undefined && host !== '')
    warnings.push(
      t('Your reply would go to {address}, which isn’t at the sender’s domain.', {
        address: elsewhere.address,
      }),
    );
  return warnings;
}
