import { keyEncryptionContract } from './contracts/key-encryption-contract.ts';
import { createFakeKeyEncryption } from './fake-key-encryption.ts';

keyEncryptionContract('The fake', {
  createEncryption: createFakeKeyEncryption,
  createEncryptionWithAnotherMasterKey: () => createFakeKeyEncryption('another'),
});
