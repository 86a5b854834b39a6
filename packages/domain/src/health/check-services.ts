import type { Ports } from '../ports.ts';
import { isAccepted, type ServiceCredential } from '../services/service-credential.ts';
import { formatInstant, type Instant } from '../time/instant.ts';
import { EXPIRES_SOON_MS } from '../tokens/lists/list-account-tokens.ts';
import { defineCheck, outcomeOf } from './check.ts';

/**
 * Reports services whose credentials have ended, and credentials that end soon. A service that never had a credential
 * is not reported, because a service behind a gateway needs none.
 */
export const serviceCredentialsCheck = defineCheck({
  id: 'service_credentials',
  passed: 'No service is without its credential, and none will be in the next 14 days.',
  name: 'the credentials of services',
  async run({ services, clock }: Ports<'services' | 'clock'>) {
    const now = clock.now();
    const existing = (await services.list()).filter(({ deletedAt }) => deletedAt === null);
    return outcomeOf([
      ...existing
        .filter(({ credentials }) => hasEnded(credentials, now))
        .map(({ name }) => ({ code: 'service_credentials_ended' as const, service: name })),
      ...existing.flatMap(({ name, credentials }) =>
        endingSoon(credentials, now).map(({ id, expiresAt }) => ({
          code: 'service_credential_ends' as const,
          service: name,
          credentialId: id,
          expiresAt,
        })),
      ),
    ]);
  },
  findings: {
    service_credentials_ended: ({ service }) => ({
      message: `Every credential of the service ${service} has expired or was revoked, so the service cannot introspect tokens.`,
      remedy: `Run \`gatehouse service credential create ${service}\`, and give the credential to the service. If the service no longer exists, run \`gatehouse service delete ${service}\`.`,
    }),
    service_credential_ends: ({ service, credentialId, expiresAt }) => ({
      message: `The credential ${credentialId} of the service ${service} expires at ${formatInstant(expiresAt)}, and no newer credential of the service lasts longer.`,
      remedy: `Run \`gatehouse service credential rotate ${service} ${credentialId}\`, and give the new credential to the service.`,
    }),
  },
});

type Credentials = readonly ServiceCredential[];

const hasEnded = (credentials: Credentials, now: Instant) =>
  credentials.length > 0 && !credentials.some((each) => isAccepted(each, now));

/**
 * Returns the credentials that expire soon and have no successor. A newer credential that lasts longer counts as the
 * successor, because after a rotation the replaced credential ends within days.
 *
 * @param credentials oldest first
 */
function endingSoon(credentials: Credentials, now: Instant) {
  const accepted = credentials.filter((each) => isAccepted(each, now));
  return accepted.flatMap((credential, index) => {
    const { expiresAt } = credential;
    if (expiresAt === null || expiresAt - now >= EXPIRES_SOON_MS) return [];
    const isSucceeded = accepted
      .slice(index + 1)
      .some((newer) => newer.expiresAt === null || newer.expiresAt > expiresAt);
    return isSucceeded ? [] : [{ ...credential, expiresAt }];
  });
}
