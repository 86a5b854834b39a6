import type { Instant } from '@gatehouse/domain/time';
import type { End, TokenStatus } from '@gatehouse/domain/tokens';
import { shortTime } from '@gatehouse/extension-kit/cli';
import { type Command, Option } from 'commander';
import type { Cli } from '../../cli.ts';
import { usageError } from '../../errors/command-error.ts';
import { unwrap } from '../../errors/refusals.ts';
import { admin, requireActor } from '../../input/caller.ts';
import { type ActingOptions, asOption, changeOptions } from '../../input/options.ts';
import { toInstant, toMilliseconds, toName } from '../../input/parsers.ts';
import { createPrinter } from '../../output/printer.ts';
import { tokenView } from '../../views/token-view.ts';
import { leftWorking, worksBeside } from './still-working.ts';

interface Options extends ActingOptions {
  readonly name?: string;
  readonly expiresIn?: number;
  readonly expiresAt?: Instant;
}

export function tokenUpdate(token: Command, cli: Cli): void {
  const command = token
    .command('update')
    .description('Rename an API token, or make it expire earlier')
    .argument('<id-or-name>', "The token's id, or its name", toName)
    .addOption(asOption('The admin who changes it'))
    .option('--name <name>', "The new name; unique among the owner's active tokens")
    .option(
      '--expires-in <duration>',
      'Expire after this time from now, such as 30d; units s, m, h, d, w',
      toMilliseconds,
    )
    .addOption(
      new Option('--expires-at <time>', 'Expire at this time, such as 2027-01-31T00:00:00Z (RFC 3339)')
        .argParser(toInstant)
        .conflicts('expiresIn'),
    );
  changeOptions(command, {
    notes: [
      'Programs that use the token need no change. The new end must be earlier than the current one; it cannot be moved back later. A token and its successor have the same name, so neither can be renamed before the successor is used.',
    ],
    examples: [
      'gatehouse token update ERP --as ada@acme.example --name "ERP, Hamburg"',
      'gatehouse token update ERP --as ada@acme.example --expires-in 30d',
    ],
  });
  command.action(async (reference: string, options: Options) => {
    const { name } = options;
    const expiry = endOf(options);
    if (name === undefined && expiry === undefined) {
      throw usageError('Say what to change: --name, --expires-in or --expires-at.');
    }
    const email = requireActor(options.as);
    await using gatehouse = await cli.open();
    const caller = await admin(cli, gatehouse, email);
    const found = unwrap(await gatehouse.findTokenByReference(caller, reference));
    const { id } = found;
    const { before, after } = unwrap(await gatehouse.updateToken(caller, { id, name, expiry }));
    const printer = createPrinter(cli, options);
    await printer.note(changesOf(before, after));
    for (const other of leftWorking([found])) await printer.note(worksBeside(other, found));
    await printer.document(tokenView.document(after));
  });
}

function endOf({ expiresIn, expiresAt }: Options): End | undefined {
  if (expiresIn !== undefined) return { in: expiresIn };
  return expiresAt === undefined ? undefined : { at: expiresAt };
}

/** Says what was changed, by the name that the caller knows. */
function changesOf(before: TokenStatus, after: TokenStatus): string {
  const { id, name } = before;
  const changes: string[] = [];
  if (after.name !== name) changes.push(`renamed to "${after.name}"`);
  if (after.expiresAt !== before.expiresAt) {
    const former = before.expiresAt === null ? 'never' : shortTime(before.expiresAt);
    changes.push(`expires ${shortTime(after.expiresAt)} (before: ${former})`);
  }
  return changes.length === 0
    ? `Token "${name}" (${id}) is already like this: nothing was changed.`
    : `Updated token "${name}" (${id}): ${changes.join(', ')}.`;
}
