import {
  accountRepositoryContract,
  auditLogContract,
  organizationRepositoryContract,
  signInThrottleContract,
  signingKeyRepositoryContract,
  tokenRepositoryContract,
  userRepositoryContract,
} from '@gatehouse/domain/testing';
import { openTestDatabase, openTestStore } from '../testing/open-test-store.ts';
import { createPostgresSignInThrottle } from './sign-in-throttle.ts';

accountRepositoryContract('PostgreSQL', openTestStore);
userRepositoryContract('PostgreSQL', openTestStore);
organizationRepositoryContract('PostgreSQL', openTestStore);
tokenRepositoryContract('PostgreSQL', openTestStore);
signingKeyRepositoryContract('PostgreSQL', openTestStore);
auditLogContract('PostgreSQL', openTestStore);
signInThrottleContract('PostgreSQL', async (ports) => {
  const { database, close } = await openTestDatabase();
  return { throttle: createPostgresSignInThrottle(database, ports), close };
});
