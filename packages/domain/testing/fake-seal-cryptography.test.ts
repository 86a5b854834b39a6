import { sealCryptographyContract } from './contracts/index.ts';
import { createFakeSealCryptography } from './fake-seal-cryptography.ts';

sealCryptographyContract('the fake', createFakeSealCryptography);
