import { sessionSecretsContract } from './contracts/index.ts';
import { createFakeSessionSecrets } from './fake-session-secrets.ts';

sessionSecretsContract('fake', createFakeSessionSecrets);
