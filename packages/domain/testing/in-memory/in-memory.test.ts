import {
  accountRepositoryContract,
  auditLogContract,
  createInMemoryRepositories,
  createInMemorySignInThrottle,
  organizationRepositoryContract,
  signInThrottleContract,
  signingKeyRepositoryContract,
  tokenRepositoryContract,
  userRepositoryContract,
} from '../index.ts';

const open = async () => ({ ...createInMemoryRepositories(), close: async () => {} });

accountRepositoryContract('the in-memory store', open);
userRepositoryContract('the in-memory store', open);
organizationRepositoryContract('the in-memory store', open);
tokenRepositoryContract('the in-memory store', open);
signingKeyRepositoryContract('the in-memory store', open);
auditLogContract('the in-memory store', open);
signInThrottleContract('the in-memory throttle', async (ports) => ({
  throttle: createInMemorySignInThrottle(ports),
  close: async () => {},
}));
