import type { Principal } from '@gatehouse/domain/access';
import {
  DEFAULT_GRACE_MS,
  type RotatedToken,
  type Token,
  type TokenFormat,
  type TokenId,
  type TokenStatus,
} from '@gatehouse/domain/tokens';
import { type Command, Option } from 'commander';
import type { Cli, Gatehouse } from '../../cli.ts';
import { CommandError, Interrupted, usageError } from '../../errors/command-error.ts';
import { EXIT } from '../../errors/exit-status.ts';
import { unwrap } from '../../errors/refusals.ts';
import { admin, requireActor } from '../../input/caller.ts';
import { asOption, examples, formatOption, outputOptions } from '../../input/options.ts';
import { toMilliseconds, toName } from '../../input/parsers.ts';
import { askToConfirm, canAsk } from '../../input/prompt.ts';
import { createPrinter, type OutputOptions, type Printer } from '../../output/printer.ts';
import { createSecretFile } from '../../output/secret-file.ts';
import { shortTime, timeSpan } from '../../views/time.ts';
import { handOver } from './hand-over.ts';
import { whatBreaks } from './what-breaks.ts';

interface Options extends OutputOptions {
  readonly as?: string;
  readonly grace?: number;
  readonly now?: true;
  readonly format?: TokenFormat;
  readonly out?: string;
  readonly yes?: true;
}

export function tokenRotate(token: Command, cli: Cli): void {
  outputOptions(
    token
      .command('rotate')
      .description(
        'replace an API token without an outage: print a new one, beside which the old one goes on working',
      ),
  )
    .argument('<id-or-name>', "the token's id or name")
    .addOption(asOption('the admin who rotates it'))
    .addOption(
      new Option(
        '--grace <duration>',
        'how long the old one stays good once the new one is used, such as 7d; units s, m, h, d, w (default: 24h)',
      ).argParser(toMilliseconds),
    )
    .addOption(
      new Option('--now', 'revoke the old one as soon as the new one is handed over').conflicts('grace'),
    )
    .addOption(formatOption("the old one's"))
    .option('--out <file>', 'write the token to a new file (mode 0600) instead of standard output')
    .option('--yes', 'do not ask; needed for --now where there is no terminal to ask at')
    .addHelpText(
      'after',
      `
The new token has the name, the scopes and the owner of the old one, and as long a life. The old one stays good
until the new one is used for the first time, and then for the grace period, but never beyond its own expiry. A
new token that nobody has used can be revoked: then the old one is as before.
${examples(
  'gatehouse token rotate 019a0000-0000-7000-8000-000000000000 --as ada@acme.example --grace 7d',
  'gatehouse token rotate 019a0000-0000-7000-8000-000000000000 --as ada@acme.example --now --out erp.token',
)}`,
    )
    .action(async (text: string, options: Options) => {
      const reference = toName(text);
      const email = requireActor(options.as);
      if (options.now && !options.yes && !canAsk(cli.streams)) {
        throw usageError(
          'There is no terminal to ask at: confirm that the old token is to be revoked at once with --yes.',
        );
      }
      await using gatehouse = await cli.open({ signs: true });
      const caller = await admin(cli, gatehouse, email);
      const found = unwrap(await gatehouse.findTokenByReference(caller, reference));
      const { id } = found;
      const rotation = { gatehouse, caller, printer: createPrinter(cli.streams, options), id, options };
      if (options.now && !options.yes) await confirm(cli, found);
      const { record } = await rotate(rotation);
      // Only now: had the new one not arrived, the old one would be needed.
      if (options.now) await revokeOld(rotation, record.id);
    });
}

interface Rotation {
  readonly gatehouse: Gatehouse;
  readonly caller: Principal;
  readonly printer: Printer;
  readonly id: TokenId;
  readonly options: Options;
}

/** Says what would break, and asks. */
async function confirm(cli: Cli, report: TokenStatus): Promise<void> {
  await createPrinter(cli.streams, {}).note(whatBreaks(report));
  const question = 'Whatever uses it will be refused as soon as the new one is handed over. Rotate it now?';
  if (!(await askToConfirm(cli, question))) throw new Interrupted('Nothing was rotated.');
}

async function rotate({ gatehouse, caller, printer, id, options }: Rotation): Promise<RotatedToken> {
  const { now, grace, format, out } = options;
  const file = out === undefined ? undefined : await createSecretFile(out);
  try {
    const graceMs = now ? 0 : (grace ?? DEFAULT_GRACE_MS);
    const rotated = unwrap(await gatehouse.rotateToken(caller, { id, graceMs, format }));
    const aside = now
      ? 'The old one is revoked once it is handed over.'
      : fateOf(rotated.predecessor, graceMs);
    await handOver({ gatehouse, caller, printer, file, options, aside }, rotated);
    return rotated;
  } catch (error) {
    await file?.remove();
    throw error;
  }
}

/** What becomes of the old token. */
function fateOf({ expiresAt }: Token, graceMs: number): string {
  const atMost = expiresAt === null ? '' : `, but not beyond ${shortTime(expiresAt)}`;
  return `The old one stays good until the new one is first used, and then for ${timeSpan(graceMs)}${atMost}.`;
}

async function revokeOld({ gatehouse, caller, printer, id }: Rotation, successor: TokenId): Promise<void> {
  try {
    unwrap(await gatehouse.revokeToken(caller, { id, reason: `replaced by ${successor}` }));
  } catch (cause) {
    const message = `The new token is handed over, but the old one could not be revoked: do that with \`gatehouse token revoke ${id}\`.`;
    throw new CommandError(EXIT.fault, message, { cause });
  }
  await printer.note(`The old token (${id}) is revoked: it is refused from now on.`);
}
