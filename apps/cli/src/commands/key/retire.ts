import type { UsedKeyReport } from '@gatehouse/domain/signing-keys';
import type { Command } from 'commander';
import type { Cli } from '../../cli.ts';
import { unwrap } from '../../errors/refusals.ts';
import { consentTo } from '../../input/consent.ts';
import { describe } from '../../input/help.ts';
import { changeOptions } from '../../input/options.ts';
import { toKeyId } from '../../input/parsers.ts';
import { createPrinter, type OutputOptions } from '../../output/printer.ts';
import { withProgress } from '../../output/progress.ts';
import { counted } from '../../views/count.ts';
import { keyDocument } from '../../views/key-view.ts';
import { timeAgo } from '../../views/time.ts';

interface Options extends OutputOptions {
  readonly revokeTokens?: true;
  readonly yes?: true;
}

export function keyRetire(key: Command, cli: Cli): void {
  const command = key
    .command('retire')
    .description('Permanently reject tokens signed by a key; refused while it has live tokens')
    .argument('<id>', 'The id of a verify-only key: one after which another key was activated')
    .option('--revoke-tokens', 'Revoke all live tokens signed by the key')
    // An id may begin with a hyphen.
    .allowUnknownOption();
  changeOptions(command, { asks: true });
  describe(command, {
    examples: [
      'gatehouse key retire k4.pid.9ShR3xc8-qVJ_di0tc9nx0IDIqbatdeM2mqLFBJsKRHs',
      'gatehouse key retire k4.pid.9ShR3xc8-qVJ_di0tc9nx0IDIqbatdeM2mqLFBJsKRHs --revoke-tokens --yes',
    ],
  });
  command.action(async (text: string, options: Options) => {
    const id = toKeyId(text);
    const { yes, revokeTokens = false } = options;
    const confirm = consentTo(cli, 'key retire', yes);
    const printer = createPrinter(cli.streams, options);
    await using gatehouse = await cli.open();
    await confirm(async () => factsOf(unwrap(await gatehouse.showKey(cli.operator, id)), revokeTokens));
    const { key, revokedTokens } = unwrap(
      await withProgress(cli, options, 'Retiring the key', () =>
        gatehouse.retireKey(cli.operator, { id, revokeTokens }),
      ),
    );
    await printer.note(`Retired the key ${key.id}: tokens signed by it are rejected.`);
    if (revokedTokens > 0) await printer.note(`Revoked ${counted(revokedTokens, 'token')} with it.`);
    await printer.document({ ...keyDocument(key), revoked_tokens: revokedTokens });
  });
}

/** Describes what would break. Undefined, and so without a question, if the retirement will be refused. */
function factsOf(
  { key, live, lastUsedAt, at }: UsedKeyReport,
  revokeTokens: boolean,
): readonly string[] | undefined {
  if (key.state !== 'verify-only' || (live.count > 0 && !revokeTokens)) return undefined;
  if (live.count === 0) return ['The key has no live tokens: nothing will stop working.'];
  return [
    `The key has ${counted(live.count, 'live token')}, last used ${timeAgo(lastUsedAt, at)}. Integrations using them will stop working immediately.`,
  ];
}
