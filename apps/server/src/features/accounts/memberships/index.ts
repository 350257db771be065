/** Public interface of features/accounts/memberships for the rest of the server. */
export { memberLimitOf, planMemberLimit } from './limit.ts';
export { createLinkSecret, hashLinkSecret } from './link-secrets.ts';
export {
  acceptInvitation,
  endReset,
  findConnector,
  findMembership,
  getInvitation,
  isAtConnection,
  isConnected,
  listGivenDomains,
  lockMembersAt,
  lockMembership,
  type Membership,
} from './service.ts';
export {
  countMembers,
  deleteConnection as endConnection,
  deleteInvite as withdrawInvite,
  insertMember,
  listConnections,
  listMemberIds,
  listOwnerIds,
  lockOrganization,
} from './store.ts';
