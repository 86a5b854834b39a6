import { shortTime } from '@gatehouse/extension-kit/cli';
import { defineSteps } from '../../../described/kinds.ts';
import { DURATION } from '../../../input/parsers.ts';
import { UNITS } from '../../shared-options.ts';
import { SERVICE } from '../service-argument.ts';
import { CREDENTIAL } from './credential-argument.ts';
import { handOverCredential } from './hand-over.ts';

export const credentialRotate = defineSteps({
  verb: 'rotate',
  summary: 'Replace a credential without an outage: print a new one while the old one is still accepted',
  arguments: { service: SERVICE, credential: CREDENTIAL },
  options: {
    grace: {
      ...DURATION,
      description: `How long the old credential is still accepted, such as 7d; ${UNITS} (default: 24h)`,
    },
  },
  notes: [
    "The new credential has the old one's lifetime. The old credential is accepted until the grace period ends, but never beyond its own expiry. The grace period begins at once: give the new credential to the service before it ends.",
  ],
  examples: ['gatehouse service credential rotate orders 019a0000-0000-7000-8000-000000000000 --grace 7d'],
  prints: 'change',
  steps: (gatehouse, caller, { service, credential: id, grace: graceMs }, tools) =>
    handOverCredential(
      { ...tools, gatehouse, caller },
      () => gatehouse.rotateServiceCredential(caller, { service, id, graceMs }),
      ({ replaced }) => `The old credential is accepted until ${shortTime(replaced?.expiresAt ?? null)}.`,
    ),
});
