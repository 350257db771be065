/**
 * Domains at which an organization provides addresses. A domain still belongs to the holder who
 * proved it. Connecting it lets members have addresses there; disconnecting it deletes these
 * addresses for everyone but the holder. Mail that has arrived stays where it is.
 */
import type { ConnectedDomain } from '@keyfold/contract';
import { AppError } from '@keyfold/contract/errors';
import { asciiDomain } from '@keyfold/mail/address-form';
import type { Deps } from '../../../context/deps.ts';
import { isConnected, listConnections } from '../../accounts/memberships/index.ts';
import { lockMailboxes } from '../../mailbox/messages/index.ts';
import { disconnectDomain } from '../addresses/index.ts';
import { writeLog } from './log.ts';
import { lockMembers } from './members.ts';
import { getRight, lockRight } from './rights.ts';
import {
  findClaim,
  insertConnection,
  listAddressesAtConnected,
  listMembers,
  listUnconnected,
} from './store.ts';

const normalize = (given: string): string =>
  asciiDomain(given.trim().normalize('NFKC').toLowerCase().replace(/\.$/, ''));

/** Returns the caller's proved domains that are not connected. Throws not_found, forbidden. */
export async function listAvailable({ db }: Deps, userId: string): Promise<{ domain: string }[]> {
  await getRight(db, userId, 'connect_domains');
  return (await listUnconnected(db, userId)).map(domain => ({ domain }));
}

/** Returns the domains at which members have addresses. Throws not_found. */
export async function listConnected({ db }: Deps, userId: string): Promise<ConnectedDomain[]> {
  const { organizationId } = await getRight(db, userId, 'view');
  const members = await listMembers(db, organizationId);
  const addresses = await listAddressesAtConnected(db, organizationId);
  return (await listConnections(db, organizationId)).map(({ domain, user_id }) => ({
    domain,
    holder: members.find(member => member.user_id === user_id)?.email ?? '',
    is_own: user_id === userId,
    addresses: addresses.filter(row => row.domain === domain).map(row => row.address),
  }));
}

/**
 * Connects a proved domain of the caller. Throws not_found, forbidden, domain_unproved,
 * domain_connected.
 */
export async function connect(deps: Deps, userId: string, given: string): Promise<ConnectedDomain> {
  const domain = normalize(given);
  await deps.db.transaction().execute(async trx => {
    const { organizationId } = await lockRight(trx, userId, 'connect_domains');
    // Code that removes or takes over a claim acquires this lock before it checks whether the
    // domain is connected.
    await lockMailboxes(trx, [userId]);
    const claim = await findClaim(trx, userId, domain);
    if (claim === undefined) throw new AppError('not_found');
    if (claim.verified_at === null) throw new AppError('domain_unproved');
    if (await isConnected(trx, domain)) throw new AppError('domain_connected');
    await insertConnection(trx, {
      domain,
      organization_id: organizationId,
      user_id: userId,
      connected_at: deps.clock.now(),
    });
    await writeLog(deps, trx, userId, { organizationId }, { action: 'connect_domain', object: domain });
  });
  const found = (await listConnected(deps, userId)).find(one => one.domain === domain);
  if (found === undefined) throw new AppError('not_found');
  return found;
}

/** Ends a connection. Throws not_found, forbidden. */
export const disconnect = (deps: Deps, userId: string, given: string): Promise<void> =>
  deps.db.transaction().execute(async trx => {
    const domain = normalize(given);
    const { organizationId } = await lockRight(trx, userId, 'connect_domains');
    const connection = (await listConnections(trx, organizationId)).find(one => one.domain === domain);
    if (connection === undefined) throw new AppError('not_found');
    const members = (await lockMembers(trx, organizationId)).filter(id => id !== connection.user_id);
    await disconnectDomain(deps, trx, members, domain);
    await writeLog(deps, trx, userId, { organizationId }, { action: 'disconnect_domain', object: domain });
  });
