import { secondFactorSecretsContract } from '@gatehouse/domain/testing/contracts';
import { createSecondFactorSecrets } from './second-factor-secrets.ts';

secondFactorSecretsContract('node:crypto', createSecondFactorSecrets);
