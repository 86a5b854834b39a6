import type { UsedKeyReport } from '@gatehouse/domain/signing-keys';
import type { Command } from 'commander';
import type { Cli } from '../../cli.ts';
import { Interrupted, usageError } from '../../errors/command-error.ts';
import { unwrap } from '../../errors/refusals.ts';
import { examples, outputOptions } from '../../input/options.ts';
import { toKeyId } from '../../input/parsers.ts';
import { askToConfirm, canAsk } from '../../input/prompt.ts';
import { createPrinter, type OutputOptions } from '../../output/printer.ts';
import { withProgress } from '../../output/progress.ts';
import { keyDocument } from '../../views/key-view.ts';
import { timeAgo } from '../../views/time.ts';

interface Options extends OutputOptions {
  readonly revokeTokens?: true;
  readonly yes?: true;
}

export function keyRetire(key: Command, cli: Cli): void {
  outputOptions(
    key
      .command('retire')
      .description(
        'accept nothing any more that a key signed, for good; refused while tokens that it signed are still good',
      ),
  )
    .argument('<id>', 'the key; one that only verifies, since another one is active')
    .option('--revoke-tokens', 'revoke the tokens that it signed and that are still good, all of them')
    .option('--yes', 'do not ask; needed where there is no terminal to ask at')
    // An id may begin with a hyphen.
    .allowUnknownOption()
    .addHelpText(
      'after',
      examples(
        'gatehouse key retire k4.pid.9ShR3xc8-qVJ_di0tc9nx0IDIqbatdeM2mqLFBJsKRHs',
        'gatehouse key retire k4.pid.9ShR3xc8-qVJ_di0tc9nx0IDIqbatdeM2mqLFBJsKRHs --revoke-tokens --yes',
      ),
    )
    .action(async (text: string, options: Options) => {
      const id = toKeyId(text);
      const { yes, revokeTokens = false } = options;
      if (!yes && !canAsk(cli.streams)) {
        throw usageError('There is no terminal to ask at: confirm that the key is to be retired with --yes.');
      }
      const printer = createPrinter(cli.streams, options);
      await using gatehouse = await cli.open();
      if (!yes) await confirm(cli, unwrap(await gatehouse.showKey(cli.operator, id)), revokeTokens);
      const { key, revokedTokens } = unwrap(
        await withProgress(cli, options, 'Retiring the key', () =>
          gatehouse.retireKey(cli.operator, { id, revokeTokens }),
        ),
      );
      await printer.note(`The key ${key.id} is retired: nothing that it signed is accepted any more.`);
      if (revokedTokens > 0) await printer.note(`Tokens revoked with it: ${revokedTokens}.`);
      await printer.document({ ...keyDocument(key), revoked_tokens: revokedTokens });
    });
}

/** Says what would break, and asks; what is refused anyway is not asked for. */
async function confirm(
  cli: Cli,
  { key, live, lastUsedAt, at }: UsedKeyReport,
  revokeTokens: boolean,
): Promise<void> {
  if (key.state !== 'verify-only' || (live.count > 0 && !revokeTokens)) return;
  const printer = createPrinter(cli.streams, {});
  if (live.count === 0) {
    await printer.note('No token that this key signed is still good: nothing breaks.');
  } else {
    await printer.note(`Tokens that this key signed and that are still good: ${live.count},`);
    await printer.note(`last used: ${timeAgo(lastUsedAt, at)}.`);
    await printer.note('Whatever uses them will be refused at once, for good.');
  }
  if (!(await askToConfirm(cli, 'Retire this key?'))) throw new Interrupted('Nothing was retired.');
}
