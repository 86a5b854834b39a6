import type { Scope } from '@gatehouse/domain/access';
import type { Instant } from '@gatehouse/domain/time';
import type { Expiry, TokenFormat } from '@gatehouse/domain/tokens';
import { type Command, Option } from 'commander';
import type { Cli } from '../../cli.ts';
import { unwrap } from '../../errors/refusals.ts';
import { admin, requireActor } from '../../input/caller.ts';
import { asOption, changeOptions, formatOption } from '../../input/options.ts';
import { toInstant, toMilliseconds, toScopes } from '../../input/parsers.ts';
import { createPrinter } from '../../output/printer.ts';
import { handOver, type MintOptions, OUT } from './hand-over.ts';

interface Options extends MintOptions {
  readonly name: string;
  readonly expiresIn?: number;
  readonly expiresAt?: Instant;
  readonly scope?: readonly Scope[];
  readonly format?: TokenFormat;
}

export function tokenCreate(token: Command, cli: Cli): void {
  const command = token
    .command('create')
    .description('Create an API token and print it; it is not shown again')
    .requiredOption('--name <name>', "What will use it; unique among the admin's active tokens")
    .addOption(asOption('The admin who owns the token'))
    .option(
      '--expires-in <duration>',
      'Lifetime, such as 90d; units s, m, h, d, w (default: never)',
      toMilliseconds,
    )
    .addOption(
      new Option('--expires-at <time>', 'Expiry, such as 2027-01-31T00:00:00Z (RFC 3339)')
        .argParser(toInstant)
        .conflicts('expiresIn'),
    )
    .option(
      '--scope <scope>',
      "What the token may do; repeat for several scopes (default: *, all of the admin's rights)",
      toScopes(cli.catalog),
    )
    .addOption(formatOption())
    .option(...OUT);
  changeOptions(command, {
    examples: [
      'gatehouse token create --as ada@acme.example --name ERP --expires-in 90d',
      'gatehouse token create --as ada@acme.example --name Wiki --scope orgs:read --out wiki.token',
    ],
  });
  command.action(async (options: Options) => {
    const email = requireActor(options.as);
    await using gatehouse = await cli.open({ signs: true });
    const input = {
      name: options.name,
      format: options.format ?? (await cli.defaultFormat()),
      scopes: options.scope ?? ['*' as const],
      expiry: expiryOf(options),
    };
    const caller = await admin(cli, gatehouse, email);
    // A new database has no keys until a server first starts.
    unwrap(await gatehouse.ensureKeys(cli.operator));
    const printer = createPrinter(cli, options);
    await handOver({ gatehouse, caller, printer, options }, () => gatehouse.issueToken(caller, input));
  });
}

function expiryOf({ expiresIn, expiresAt }: Options): Expiry {
  if (expiresIn !== undefined) return { in: expiresIn };
  return expiresAt === undefined ? 'never' : { at: expiresAt };
}
