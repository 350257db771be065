/** Public interface of features/accounts/users for the rest of the server. */
export {
  claimBonus,
  deleteAccount,
  exchangeMainKey,
  insertAccount,
  lockUser,
  noteActivity,
  replaceSecrets,
  setMainAddress,
  updateStatus,
} from './changes.ts';
export { setPlan } from './plan.ts';
export {
  addressesOf,
  findAccountOf,
  findOwnersOf,
  findReceiversOf,
  getContacts,
  getFreeBytes,
  getKeyId,
  getStorageLimit,
  getUser,
  isLastSuper,
  isSuspended,
  mainKeysOf,
  type Owner,
  requireKeysInUse,
  usedBytesOf,
} from './service.ts';
export { findDomainOwnerAddress, findDomainOwnerAddresses, lockSupers, setAdminLevel } from './store.ts';
