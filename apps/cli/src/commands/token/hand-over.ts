import type { FileHandle } from 'node:fs/promises';
import type { DomainError, Result } from '@gatehouse/domain';
import type { Principal } from '@gatehouse/domain/access';
import type { MintedToken } from '@gatehouse/domain/tokens';
import { shortTime } from '@gatehouse/extension-kit/cli';
import type { Gatehouse } from '../../cli.ts';
import type { Tools } from '../../described/description.ts';
import { CommandError } from '../../errors/command-error.ts';
import { unwrap } from '../../errors/refusals.ts';
import { createOwnFile } from '../../files/own-file.ts';
import { tokenView } from '../../views/token-view.ts';

export const OUT = {
  value: 'file',
  description: 'Write the token to a new file (mode 0600) instead of standard output',
} as const;

export interface HandOver extends Pick<Tools, 'printer' | 'output'> {
  readonly gatehouse: Gatehouse;
  readonly caller: Principal;
  /** The path of the file to write the token to. Undefined if the token is printed on standard output. */
  readonly out: string | undefined;
}

/**
 * Mints a token, and prints it or writes it to a new file. If the token cannot be printed or written, it is revoked,
 * because no user received it. `aside` returns sentences to print after the token's name and expiry.
 */
export async function handOver<Minted extends MintedToken>(
  to: HandOver,
  mint: () => Promise<Result<Minted, DomainError>>,
  aside: (minted: Minted) => string = () => '',
): Promise<Minted> {
  // The file is created before the token: if the file cannot be created, no token is created.
  const file = to.out === undefined ? undefined : await createOwnFile(to.out);
  try {
    const minted = unwrap(await mint());
    await deliver(to, file?.handle, minted, aside(minted)).catch((cause) => revokeLost(to, minted, cause));
    return minted;
  } catch (error) {
    await file?.discard();
    throw error;
  }
}

async function deliver(to: HandOver, file: FileHandle | undefined, minted: MintedToken, aside: string) {
  const { gatehouse, caller, printer, output } = to;
  const { id, name, expiresAt } = minted.record;
  const { secret } = minted;
  const document = output.json ? tokenView.document(unwrap(await gatehouse.showToken(caller, id))) : {};
  const ending = expiresAt === null ? 'never expires' : `expires ${shortTime(expiresAt)}`;
  const created = `Created token "${name}" (${id}), which ${ending}. ${aside}`.trimEnd();
  if (file) {
    await file.writeFile(secret);
    // The file is written to the disk before the command reports that the token was created.
    await file.sync();
    await file.close();
    await printer.note(created);
    await printer.document(document);
  } else {
    await printer.note(`${created} Copy the token now; it is not shown again:`);
    await printer.secret(secret, { ...document, token: secret });
  }
}

async function revokeLost(to: HandOver, { record }: MintedToken, cause: unknown): Promise<never> {
  const { id, replaces } = record;
  const reason = 'it could not be handed over';
  const revoked = await to.gatehouse.revokeToken(to.caller, { id, reason }).catch(() => undefined);
  const message = revoked?.ok
    ? 'The token could not be printed or written, so it was revoked.'
    : `The token could not be printed or written, and could not be revoked: run \`gatehouse token revoke ${id}\`.`;
  const still = replaces ? ' The token that it was to replace still works.' : '';
  throw new CommandError('fault', `${message}${still}`, { cause });
}
