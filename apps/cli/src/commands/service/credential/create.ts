import { defineSteps } from '../../../described/kinds.ts';
import { UNITS } from '../../shared-options.ts';
import { endOf, expiryOptions } from '../../token/expiry.ts';
import { SERVICE } from '../service-argument.ts';
import { handOverCredential } from './hand-over.ts';

export const credentialCreate = defineSteps({
  verb: 'create',
  summary: 'Create a credential of a service and print it; it is not shown again',
  arguments: { service: SERVICE },
  options: expiryOptions({
    in: `Lifetime, such as 90d; ${UNITS} (default: the credential never expires)`,
    at: 'Expire after this day (UTC), such as 2027-01-31, or at this time, such as 2027-01-31T09:00:00Z (RFC 3339)',
  }),
  notes: [
    'With a credential, a service asks Gatehouse whether a token is accepted and which scopes of the service it has (POST /api/v1/introspect). A credential is not a token: no other route accepts it.',
  ],
  examples: [
    '(umask 077 && gatehouse service credential create orders > orders.credential)',
    'gatehouse service credential create orders --expires-in 90d',
  ],
  prints: 'change',
  steps: (gatehouse, caller, { service, ...given }, tools) =>
    handOverCredential({ ...tools, gatehouse, caller }, () =>
      gatehouse.createServiceCredential(caller, { service, expiry: endOf(given) ?? 'never' }),
    ),
});
