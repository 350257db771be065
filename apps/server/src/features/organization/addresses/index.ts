/** Public interface of features/organization/addresses. */
export {
  changeMainDomain,
  createDomainAddress,
  disconnectDomain,
  findOwnAddresses,
  giveAddress,
  loseAddressesAt,
  moveAddress,
} from './service.ts';
