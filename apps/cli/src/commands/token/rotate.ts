import { DEFAULT_GRACE_MS, type Token, type TokenFormat, type TokenId } from '@gatehouse/domain/tokens';
import { shortTime } from '@gatehouse/extension-kit/cli';
import { type Command, Option } from 'commander';
import type { Cli } from '../../cli.ts';
import { CommandError } from '../../errors/command-error.ts';
import { unwrap } from '../../errors/refusals.ts';
import { admin, requireActor } from '../../input/caller.ts';
import { CONSENTS, consentTo } from '../../input/consent.ts';
import { asOption, changeOptions, formatOption } from '../../input/options.ts';
import { toMilliseconds, toName } from '../../input/parsers.ts';
import { createPrinter } from '../../output/printer.ts';
import { timeSpan } from '../../views/time.ts';
import { type HandOver, handOver, type MintOptions, OUT } from './hand-over.ts';
import { revocationImpact } from './revocation-impact.ts';
import { leftWorking, stillWorks } from './still-working.ts';

interface Options extends MintOptions {
  readonly grace?: number;
  readonly now?: true;
  readonly format?: TokenFormat;
  readonly yes?: true;
}

export function tokenRotate(token: Command, cli: Cli): void {
  const command = token
    .command('rotate')
    .description('Replace an API token without an outage: print a new one while the old one keeps working')
    .argument('<id-or-name>', "The token's id, or its name", toName)
    .addOption(asOption('The admin who rotates it'))
    .option(
      '--grace <duration>',
      'How long the old token works after the new one is first used, such as 7d; units s, m, h, d, w (default: 24h)',
      toMilliseconds,
    )
    .addOption(
      new Option('--now', 'Revoke the old token as soon as the new one is printed').conflicts('grace'),
    )
    .addOption(formatOption("the old token's"))
    .option(...OUT);
  changeOptions(command, {
    asks: true,
    notes: [
      "The new token has the old one's name, scopes, owner and lifetime. The old token works until the new one is first used, and then for the grace period, but never beyond its own expiry. As long as the new token is unused, revoking it undoes the rotation. Only --now asks for confirmation.",
    ],
    examples: [
      'gatehouse token rotate ERP --as ada@acme.example --grace 7d',
      'gatehouse token rotate 019a0000-0000-7000-8000-000000000000 --as ada@acme.example --now --out erp.token',
    ],
  });
  command.action(async (reference: string, options: Options) => {
    const email = requireActor(options.as);
    const confirm = consentTo(cli, CONSENTS['token rotate --now'], options.yes || !options.now);
    await using gatehouse = await cli.open({ signs: true });
    const caller = await admin(cli, gatehouse, email);
    const found = unwrap(await gatehouse.findTokenByReference(caller, reference));
    await confirm(async () => [revocationImpact(found)]);
    const { id } = found;
    const { now, grace, format } = options;
    const graceMs = now ? 0 : (grace ?? DEFAULT_GRACE_MS);
    const to = { gatehouse, caller, printer: createPrinter(cli, options), options };
    const { record } = await handOver(
      to,
      () => gatehouse.rotateToken(caller, { id, graceMs, format }),
      ({ predecessor }) =>
        now ? 'The old token will be revoked next.' : remainingLife(predecessor, graceMs),
    );
    // Runs only after the new token was written, because otherwise the old one is still needed.
    if (now) await revokeOld(to, id, record.id);
    for (const other of leftWorking([found])) await to.printer.note(stillWorks(other));
  });
}

/** Describes how long the old token still works. */
function remainingLife({ expiresAt }: Token, graceMs: number): string {
  const atMost = expiresAt === null ? '' : `, but not beyond ${shortTime(expiresAt)}`;
  return `The old token works until ${timeSpan(graceMs)} after this one is first used${atMost}.`;
}

async function revokeOld({ gatehouse, caller, printer }: HandOver, id: TokenId, successor: TokenId) {
  try {
    unwrap(await gatehouse.revokeToken(caller, { id, reason: `replaced by ${successor}` }));
  } catch (cause) {
    const message = `The new token is in place, but the old one could not be revoked: run \`gatehouse token revoke ${id}\`.`;
    throw new CommandError('fault', message, { cause });
  }
  await printer.note(`Revoked the old token (${id}).`);
}
