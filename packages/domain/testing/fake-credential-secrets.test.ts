import { credentialSecretsContract } from './contracts/index.ts';
import { createFakeCredentialSecrets } from './fake-credential-secrets.ts';

credentialSecretsContract('fake', createFakeCredentialSecrets);
