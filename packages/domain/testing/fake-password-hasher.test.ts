import { passwordHasherContract } from './contracts/password-hasher-contract.ts';
import { createFakePasswordHasher } from './fake-password-hasher.ts';

passwordHasherContract('The fake', {
  createHasher: createFakePasswordHasher,
  createWeakerHasher: (limits) => createFakePasswordHasher({ ...limits, cost: 1 }),
});
