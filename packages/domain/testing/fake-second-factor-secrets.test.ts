import { secondFactorSecretsContract } from './contracts/index.ts';
import { createFakeSecondFactorSecrets } from './fake-second-factor-secrets.ts';

secondFactorSecretsContract('fake', createFakeSecondFactorSecrets);
