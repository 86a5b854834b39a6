import type { TokenReport } from '@gatehouse/domain';
import type { Command } from 'commander';
import type { Cli } from '../../cli.ts';
import { Interrupted, usageError } from '../../errors/command-error.ts';
import { unwrap } from '../../errors/refusals.ts';
import { admin, requireActor } from '../../input/caller.ts';
import { asOption, examples, outputOptions } from '../../input/options.ts';
import { toTokenId } from '../../input/parsers.ts';
import { askToConfirm, canAsk } from '../../input/prompt.ts';
import { createPrinter, type OutputOptions } from '../../output/printer.ts';
import { shortTime, timeAgo } from '../../views/time.ts';
import { tokenView } from '../../views/token-view.ts';

interface Options extends OutputOptions {
  readonly as?: string;
  readonly reason?: string;
  readonly yes?: true;
}

export function tokenRevoke(token: Command, cli: Cli): void {
  outputOptions(token.command('revoke').description('end a token for good, everywhere, at once'))
    .argument('<id>', "the token's id")
    .addOption(asOption('the admin who revokes it'))
    .option('--reason <text>', 'why, for the record')
    .option('--yes', 'do not ask; needed where there is no terminal to ask at')
    .addHelpText(
      'after',
      examples(
        'gatehouse token revoke 019a0000-0000-7000-8000-000000000000 --as ada@acme.example --reason leaked',
      ),
    )
    .action(async (text: string, options: Options) => {
      const id = toTokenId(text);
      const email = requireActor(options.as);
      if (!options.yes && !canAsk(cli.streams)) {
        throw usageError(
          'There is no terminal to ask at: confirm that the token is to be revoked with --yes.',
        );
      }
      const printer = createPrinter(cli.streams, options);
      await using gatehouse = await cli.open();
      const caller = await admin(cli, gatehouse, email);
      const report = unwrap(await gatehouse.showToken(caller, id));
      if (!options.yes) await confirm(cli, report);
      const { already, grant } = unwrap(
        await gatehouse.revokeToken(caller, { id, reason: options.reason ?? null }),
      );
      const { name, revocation } = grant.token;
      await printer.note(
        already
          ? `Token "${name}" (${id}) was revoked already, at ${shortTime(revocation?.at ?? null)}.`
          : `Token "${name}" (${id}) is revoked: it is refused from now on.`,
      );
      await printer.document(tokenView.document({ ...report, grant, state: 'revoked' }));
    });
}

/** Says what would break, and asks. */
async function confirm(cli: Cli, { grant: { token, user }, state, usage, at }: TokenReport): Promise<void> {
  if (token.revocation) return;
  const printer = createPrinter(cli.streams, {});
  await printer.note(`"${token.name}" of ${user.email}, ${state}, created ${shortTime(token.createdAt)},`);
  await printer.note(`last used ${timeAgo(usage.lastUsedAt, at)},`);
  await printer.note(`expires ${shortTime(token.expiresAt, 'never')}, may ${token.scopes.join(' ')}.`);
  const sure = await askToConfirm(cli, 'Whatever uses it will be refused at once, for good. Revoke it?');
  if (!sure) throw new Interrupted('Nothing was revoked.');
}
