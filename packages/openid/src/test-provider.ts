import { err, ok, type Result } from '@gatehouse/domain';
import type { ProviderFinding } from '@gatehouse/domain/identity-providers';
import * as openid from 'openid-client';
import { type Discovered, discoveryAddress, textsOf } from './discovery.ts';
import { failureOf } from './failure-of.ts';
import type { Connection } from './open-id-providers.ts';

type Finding = ProviderFinding;

/** Checks a provider step by step. A step that fails ends the check, because the next ones need it. */
export async function testProvider(
  connection: Connection,
  redirectUri: string | undefined,
): Promise<readonly Finding[]> {
  const { provider, limits, exchange, clientFor, discovered, keys } = connection;
  const address = discoveryAddress(provider.issuer);
  const found = await exchange(limits.beginMs, ({ within }) => within(discovered.get()));
  if (!found.ok) return [problem('discovery', `${address}: ${found.error.detail}`)];
  const findings: Finding[] = [{ step: 'discovery', verdict: 'ok', text: `${address} is of this issuer` }];
  findings.push(...endpointFindings(found.value, provider.scopes));

  const published = await exchange(limits.beginMs, (now) => keys.read(now));
  if (!published.ok) return [...findings, problem('keys', published.error.detail)];
  const { length } = published.value;
  findings.push(
    length === 0
      ? problem('keys', 'the provider publishes no key, so no ID token can be verified')
      : {
          step: 'keys',
          verdict: 'ok',
          text: `the provider publishes ${length} ${length === 1 ? 'key' : 'keys'}`,
        },
  );

  const asked = await exchange(limits.beginMs, async (now) =>
    tryCredentials(await clientFor(now), redirectUri ?? 'https://gatehouse.invalid/sign-in/return'),
  );
  findings.push(credentialsFinding(asked.ok ? asked.value : asked, provider.clientSecret !== undefined));
  findings.push(logOutFinding(found.value));
  return findings;
}

function problem(step: Finding['step'], text: string): Finding {
  return { step, verdict: 'problem', text };
}

function endpointFindings({ document, metadata }: Discovered, scopes: readonly string[]): readonly Finding[] {
  const note = (text: string): Finding => ({ step: 'endpoints', verdict: 'note', text });
  const lists = (name: string, value: string) => textsOf(document[name])?.includes(value);
  const findings: Finding[] = [
    { step: 'endpoints', verdict: 'ok', text: `people sign in at ${metadata.authorization_endpoint}` },
  ];
  if (lists('response_types_supported', 'code') === false)
    findings.push(problem('endpoints', 'the provider does not support the authorization code flow'));
  if (lists('code_challenge_methods_supported', 'S256') !== true)
    findings.push(
      note('the provider does not say that it supports PKCE with S256; Gatehouse sends it all the same'),
    );
  for (const scope of scopes)
    if (lists('scopes_supported', scope) === false)
      findings.push(note(`the provider does not list the scope ${scope}`));
  if (lists('claims_supported', 'email_verified') === false)
    findings.push(
      note('the provider does not list the claim email_verified, without which no email links a user'),
    );
  if (lists('claims_supported', 'auth_time') === false)
    findings.push(
      note('the provider does not list the claim auth_time, without which no user confirms who they are'),
    );
  return findings;
}

/** Redeems a code that does not exist. A provider that accepts the client says that the code is wrong. */
async function tryCredentials(
  client: openid.Configuration,
  redirectUri: string,
): Promise<Result<'accepted', { readonly reason: string; readonly detail: string }>> {
  try {
    await openid.genericGrantRequest(client, 'authorization_code', {
      code: 'gatehouse-provider-test',
      redirect_uri: redirectUri,
      code_verifier: openid.randomPKCECodeVerifier(),
    });
    return err({ reason: 'answer_malformed', detail: 'the provider accepted a code that does not exist' });
  } catch (error) {
    const failure = failureOf(error);
    return failure.reason === 'code_not_accepted' ? ok('accepted') : err(failure);
  }
}

function credentialsFinding(
  tried: Result<unknown, { readonly reason: string; readonly detail: string }>,
  hasSecret: boolean,
): Finding {
  if (tried.ok) return { step: 'credentials', verdict: 'ok', text: 'the provider accepts the client' };
  const hint = hasSecret ? 'compare clientId and the client secret' : 'it may require a clientSecretFile';
  return tried.error.reason === 'provider_misconfigured'
    ? problem('credentials', `${tried.error.detail}: ${hint} with the registration at the provider`)
    : problem('credentials', tried.error.detail);
}

function logOutFinding({ document }: Discovered): Finding {
  return document.backchannel_logout_supported === true
    ? { step: 'log-out', verdict: 'ok', text: 'the provider supports back-channel log-out' }
    : {
        step: 'log-out',
        verdict: 'note',
        text: 'the provider does not say that it supports back-channel log-out: a sign-out there may not end sessions here',
      };
}
