/** What the rest of the server may use of features/organization/addresses. */
export {
  changeMainDomain,
  createDomainAddress,
  disconnectDomain,
  findOwnAddresses,
  giveAddress,
  loseAddressesAt,
  moveAddress,
} from './service.ts';
