import type { IdentityProviders, ProviderFinding, ProviderId } from '@gatehouse/domain/identity-providers';
import { defineAlone } from '../described/kinds.ts';
import { CommandError } from '../errors/command-error.ts';
import { PAGES_ORIGIN, PROVIDER_ID } from '../input/parsers.ts';
import { widthOf } from '../output/wrap.ts';
import { counted } from '../views/count.ts';
import { addressesOf, findingsDocument, findingsLines, providerView } from '../views/provider-view.ts';

const providerList = defineAlone({
  verb: 'list',
  summary: 'List the identity providers of IDENTITY_PROVIDERS_FILE',
  notes: ['The command contacts no provider.'],
  examples: ['gatehouse provider list', 'gatehouse provider list --json'],
  prints: providerView,
  async alone(_, { cli, printer }) {
    await printer.list([(await cli.identityProviders()).all], providerView);
  },
});

const providerTest = defineAlone({
  verb: 'test',
  summary: 'Contact an identity provider, and say what is wrong',
  arguments: { id: { ...PROVIDER_ID, description: "The provider's id in IDENTITY_PROVIDERS_FILE" } },
  options: {
    redirectBase: {
      ...PAGES_ORIGIN,
      description: 'The origin of the pages, as in PUBLIC_URL, for the addresses to register at the provider',
    },
  },
  notes: [
    'Reads the discovery document and the keys, and tries the client secret with a code that does not exist. The command signs no user in, and changes nothing. Servers may reach the provider by another way than this machine: run the command where a server runs. Exit status: 0 without problems, 6 with problems.',
  ],
  examples: [
    'gatehouse provider test entra --redirect-base https://gatehouse.example',
    'gatehouse provider test entra --json',
  ],
  prints: 'item',
  async alone({ id, redirectBase }, { cli, output, printer }) {
    const providers = await cli.identityProviders();
    requireProvider(providers, id);
    const addresses = redirectBase === undefined ? undefined : addressesOf(id, redirectBase);
    const findings = await printer.progress('Asking the provider', () =>
      providers.test(id, addresses?.redirectUri),
    );
    const lines = findingsLines(
      findings.filter(({ verdict }) => !output.quiet || verdict === 'problem'),
      widthOf(cli.streams.stdout),
    );
    if (output.json || lines.length > 0)
      await printer.value(lines.join('\n'), findingsDocument(findings, addresses));
    const { redirectUri, logOutUri } = addresses ?? addressesOf(id, '');
    const where = addresses ? '' : ', after the origin in PUBLIC_URL';
    await printer.note(`Redirect URI to register at the provider: ${redirectUri}${where}`);
    await printer.note(`Back-channel log-out URI: ${logOutUri}${where}`);
    const problems = findings.filter(isProblem).length;
    if (problems > 0) throw new CommandError('someFailed', `${counted(problems, 'problem')}.`);
  },
});

const isProblem = ({ verdict }: ProviderFinding) => verdict === 'problem';

function requireProvider({ all }: IdentityProviders, id: ProviderId): void {
  if (all.some((provider) => provider.id === id)) return;
  throw new CommandError(
    'notFound',
    all.length === 0
      ? 'There are no identity providers: IDENTITY_PROVIDERS_FILE names no file, or a file without providers.'
      : 'There is no such identity provider. `gatehouse provider list` lists all of them.',
  );
}

export const commands = [providerList, providerTest];
