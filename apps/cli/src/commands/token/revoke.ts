import type { TokenStatus } from '@gatehouse/domain/tokens';
import type { Command } from 'commander';
import type { Cli } from '../../cli.ts';
import { Interrupted, usageError } from '../../errors/command-error.ts';
import { admin, requireActor } from '../../input/caller.ts';
import { asOption, examples, outputOptions } from '../../input/options.ts';
import { toName } from '../../input/parsers.ts';
import { readPastedTokens } from '../../input/pasted-tokens.ts';
import { askToConfirm, canAsk } from '../../input/prompt.ts';
import { createPrinter, type OutputOptions, type Printer } from '../../output/printer.ts';
import { printTargets } from './print-targets.ts';
import { revokeAll } from './revoke-all.ts';
import { findTokens, identifyTokens } from './revoke-targets.ts';
import { whatBreaks } from './what-breaks.ts';

interface Options extends OutputOptions {
  readonly as?: string;
  readonly reason?: string;
  readonly yes?: true;
  readonly dryRun?: true;
  readonly stdin?: true;
}

export function tokenRevoke(token: Command, cli: Cli): void {
  outputOptions(token.command('revoke').description('end tokens for good, everywhere, at once'))
    .argument('[id-or-name...]', "the tokens' ids, or the names of API tokens")
    .addOption(asOption('the admin who revokes them'))
    .option('--reason <text>', 'why, for the record')
    .option(
      '--stdin',
      'take the tokens themselves instead of their ids, one a line of standard input, or asked for without echo',
    )
    .option('--dry-run', 'say what would break, and revoke nothing')
    .option('--yes', 'do not ask; needed where there is no terminal to ask at')
    .addHelpText(
      'after',
      `
Of several, one that fails keeps no other from being revoked (status 6). With --json one token is one document;
several are an array in the order given, in which one that failed is {"id", "error"}, or with --stdin
{"line", "error"}. With --stdin it is enough that the signature of a token holds: one that expired, or whose user
is disabled, is found as well.
${examples(
  'gatehouse token revoke 019a0000-0000-7000-8000-000000000000 --as ada@acme.example --reason leaked',
  'gatehouse token revoke --as ada@acme.example --stdin --yes < leaked-tokens.txt',
)}`,
    )
    .action(async (texts: readonly string[], options: Options) => {
      const references = referencesFrom(texts, options);
      const email = requireActor(options.as);
      if (!options.yes && !options.dryRun && !canAsk(cli.streams)) {
        const what = texts.length > 1 || options.stdin ? 'tokens are' : 'token is';
        throw usageError(
          `There is no terminal to ask at: confirm that the ${what} to be revoked with --yes.`,
        );
      }
      const pasted = options.stdin ? await readPastedTokens(cli) : [];
      await using gatehouse = await cli.open();
      const caller = await admin(cli, gatehouse, email);
      const targets = options.stdin
        ? await identifyTokens(gatehouse, caller, pasted)
        : await findTokens(gatehouse, caller, references);

      const printer = createPrinter(cli.streams, options);
      const found = targets.flatMap(({ outcome }) => (outcome.ok ? [outcome.value] : []));
      if (options.dryRun) {
        await explain(printer, found);
        await printer.note('Nothing was revoked: this only says what would be.');
        return printTargets(printer, targets);
      }
      if (!options.yes) await confirm(cli, found);
      const by = { cli, gatehouse, caller, printer, reason: options.reason ?? null };
      await printTargets(printer, await revokeAll(by, targets));
    });
}

/** How tokens begin: text that begins so may be a secret, and is not repeated. */
const TOKEN = /^(v\d\.|eyJ|bearer )/i;

function referencesFrom(texts: readonly string[], { stdin }: Options): readonly string[] {
  if (stdin && texts.length > 0) {
    throw usageError('Name tokens by id or name, or give the tokens themselves with --stdin, but not both.');
  }
  if (!stdin && texts.length === 0) {
    throw usageError('Name the tokens by id or name, or give the tokens themselves with --stdin.');
  }
  if (texts.some((text) => TOKEN.test(text))) {
    throw usageError('This is a token, not its id or name: give it on standard input, with --stdin.');
  }
  return texts.map(toName);
}

/** Says what would break, and asks. What is revoked already breaks nothing any more. */
async function confirm(cli: Cli, found: readonly TokenStatus[]): Promise<void> {
  const live = found.filter((token) => token.revocation === null);
  if (live.length === 0) return;
  await explain(createPrinter(cli.streams, {}), live);
  const them = live.length === 1 ? ['it', 'it'] : ['them', `these ${live.length} tokens`];
  const question = `Whatever uses ${them[0]} will be refused at once, for good. Revoke ${them[1]}?`;
  if (!(await askToConfirm(cli, question))) throw new Interrupted('Nothing was revoked.');
}

async function explain(printer: Printer, found: readonly TokenStatus[]): Promise<void> {
  for (const report of found) await printer.note(whatBreaks(report));
}
