import { err, ok } from '@gatehouse/domain';
import type { IdentityProviders } from '@gatehouse/domain/identity-providers';
import type { Clock, MonotonicClock } from '@gatehouse/domain/time';
import type { OpenIdProvider } from '@gatehouse/openid';
import { type ConfiguredProvider, readClientSecret } from './settings/identity-providers/providers-file.ts';
import { follow } from './settings/secret-file.ts';

export interface IdentityProvidersOptions {
  readonly clock: Clock;
  readonly monotonicClock: MonotonicClock;
  /** Called if the file of a client secret was changed and cannot be used; the former secret is used. */
  onProblem(problem: string): void;
}

/**
 * Creates the port for the providers of the settings. The code that talks to providers is loaded at the first exchange, so
 * that an installation without providers, and a command that needs none, never loads it.
 */
export function createIdentityProviders(
  providers: readonly ConfiguredProvider[],
  { clock, monotonicClock, onProblem }: IdentityProvidersOptions,
): IdentityProviders {
  let loaded: Promise<IdentityProviders> | undefined;
  function load(): Promise<IdentityProviders> {
    loaded ??= import('@gatehouse/openid').then(({ createOpenIdProviders }) =>
      createOpenIdProviders(
        providers.map((provider) => withFollowedSecret(provider, onProblem)),
        { clock, monotonicClock },
      ),
    );
    return loaded;
  }
  return {
    all: providers,
    begin: async (...input) => (await load()).begin(...input),
    redeem: async (...input) => (await load()).redeem(...input),
    readLogOut: async (...input) => (await load()).readLogOut(...input),
    test: async (...input) => (await load()).test(...input),
  };
}

function withFollowedSecret(
  { clientSecret: filed, ...provider }: ConfiguredProvider,
  onProblem: (problem: string) => void,
): OpenIdProvider {
  if (filed === undefined) return { ...provider, clientSecret: undefined };
  const { path, value } = filed;
  const readAgain = () => {
    const read = readClientSecret(path);
    return read.ok
      ? ok(read.value.value)
      : err(`clientSecretFile of the provider ${provider.id} ${read.error}`);
  };
  return { ...provider, clientSecret: follow(value, readAgain, onProblem) };
}
