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

export interface HandOver {
  readonly gatehouse: Gatehouse;
  readonly caller: Principal;
  readonly printer: Printer;
  readonly file: SecretFile | undefined;
  readonly options: OutputOptions;
  /** What a person needs to know besides, in sentences. */
  readonly aside?: string;
}

/** Gives a new token to whoever asked for it. One that did not arrive is revoked: nobody could use it. */
export async function handOver(to: HandOver, minted: MintedToken): Promise<void> {
  try {
    await deliver(to, minted);
  } catch (cause) {
    const { id } = minted.record;
    const reason = 'it could not be handed over';
    const revoked = await to.gatehouse.revokeToken(to.caller, { id, reason }).catch(() => undefined);
    const message = revoked?.ok
      ? 'The token could not be handed over, and was revoked again.'
      : `The token could not be handed over, nor revoked again: do that with \`gatehouse token revoke ${id}\`.`;
    const still = minted.record.replaces ? ' The one that it was to replace is as good as before.' : '';
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
  const ending = record.expiresAt === null ? 'without expiry' : `good until ${shortTime(record.expiresAt)}`;
  const created = [`Token "${record.name}" (${record.id}) is created, ${ending}.`, aside ?? []]
    .flat()
    .join(' ');
  if (file) {
    await file.write(secret);
    await printer.note(created);
    await printer.document(document);
  } else {
    await printer.note(`${created} It is shown only this once:`);
    await printer.secret(secret, { ...document, token: secret });
  }
}
