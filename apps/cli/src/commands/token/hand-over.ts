import type { Principal } from '@gatehouse/domain/access';
import type { MintedToken } from '@gatehouse/domain/tokens';
import type { Gatehouse } from '../../cli.ts';
import { CommandError } from '../../errors/command-error.ts';
import { EXIT } from '../../errors/exit-status.ts';
import { unwrap } from '../../errors/refusals.ts';
import type { OutputOptions, Printer } from '../../output/printer.ts';
import type { SecretFile } from '../../output/secret-file.ts';
import { shortTime } from '../../views/time.ts';
import { tokenView } from '../../views/token-view.ts';

interface HandOver {
  readonly gatehouse: Gatehouse;
  readonly caller: Principal;
  readonly printer: Printer;
  readonly file: SecretFile | undefined;
  readonly options: OutputOptions;
  /** Sentences to print after the token's name and expiry. */
  readonly aside?: string;
}

/** Prints a new token, or writes it to its file. If that fails, the token is revoked, because it reached no one. */
export async function handOver(to: HandOver, minted: MintedToken): Promise<void> {
  try {
    await deliver(to, minted);
  } catch (cause) {
    const { id } = minted.record;
    const reason = 'it could not be handed over';
    const revoked = await to.gatehouse.revokeToken(to.caller, { id, reason }).catch(() => undefined);
    const message = revoked?.ok
      ? 'The token could not be printed or written, so it was revoked.'
      : `The token could not be printed or written, and could not be revoked: run \`gatehouse token revoke ${id}\`.`;
    const still = minted.record.replaces ? ' The token that it was to replace still works.' : '';
    throw new CommandError(EXIT.fault, `${message}${still}`, { cause });
  }
}

async function deliver(
  { gatehouse, caller, printer, file, options, aside }: HandOver,
  { record, secret }: MintedToken,
): Promise<void> {
  const document = options.json
    ? tokenView.document(unwrap(await gatehouse.showToken(caller, record.id)))
    : {};
  const ending = record.expiresAt === null ? 'never expires' : `expires ${shortTime(record.expiresAt)}`;
  const created = [`Created token "${record.name}" (${record.id}), which ${ending}.`, aside ?? []]
    .flat()
    .join(' ');
  if (file) {
    await file.write(secret);
    await printer.note(created);
    await printer.document(document);
  } else {
    await printer.note(`${created} Copy the token now; it is not shown again:`);
    await printer.secret(secret, { ...document, token: secret });
  }
}
