import { err, ok, type Result } from '@gatehouse/domain';
import type { BegunPurpose, ProviderSignInError } from '@gatehouse/domain/identity-providers';
import { type Provider, parseProviderId } from '@gatehouse/domain/identity-providers';
import type { Header } from '@gatehouse/http';
import { setCookie } from '../http/cookies.ts';
import { providerReturnPath } from '../paths.ts';
import type { PagePorts } from '../ports.ts';
import type { Visit } from '../visit.ts';

export type BeginPorts = Pick<PagePorts, 'beginProviderSignIn' | 'listProviders' | 'noteProviderSignIn'>;

/** An attempt that has begun: where the browser goes, and the cookie that binds the attempt to it. */
export interface Begun {
  readonly provider: Provider;
  readonly location: string;
  readonly headers: readonly Header[];
}

/** Begins an attempt with the provider that has this name in an address. */
export async function beginAttempt(
  ports: BeginPorts,
  visit: Visit,
  named: string,
  purpose: BegunPurpose,
  next: string | null,
): Promise<Result<Begun, ProviderSignInError>> {
  const { site, request } = visit;
  const id = parseProviderId(named);
  const provider = ports.listProviders().find((each) => each.id === id);
  if (!provider)
    return err({ code: 'provider_sign_in_refused', reason: 'provider_unknown', detail: null, next });
  const begun = await ports.beginProviderSignIn({
    provider: provider.id,
    purpose,
    browser: visit.cookie('attempt'),
    next,
    redirectUri: `${site.origin}${providerReturnPath(provider.id)}`,
    address: request.address,
  });
  if (!begun.ok) {
    ports.noteProviderSignIn(request, provider.id, begun.error);
    return begun;
  }
  const { location, browser } = begun.value;
  return ok({ provider, location, headers: [setCookie(site, 'attempt', browser)] });
}
