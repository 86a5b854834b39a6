import { attemptSecretsContract } from './contracts/index.ts';
import { createFakeAttemptSecrets } from './fake-attempt-secrets.ts';

attemptSecretsContract('the fake', createFakeAttemptSecrets);
