import type { DomainError, Result } from '@gatehouse/domain';
import { type CommandCaller, shortTime } from '@gatehouse/extension-kit/cli';
import type { Gatehouse } from '../../../cli.ts';
import type { Tools } from '../../../described/description.ts';
import { CommandError } from '../../../errors/command-error.ts';
import { unwrap } from '../../../errors/refusals.ts';
import { type HandedCredential, handedCredentialDocument } from '../../../views/credential-view.ts';

interface HandOver extends Pick<Tools, 'printer'> {
  readonly gatehouse: Gatehouse;
  readonly caller: CommandCaller;
}

/**
 * Creates a credential and prints its secret. If the secret cannot be printed, revokes the credential, because no user
 * received it. `aside` returns a sentence to print after the expiry.
 */
export async function handOverCredential<Created extends HandedCredential>(
  to: HandOver,
  create: () => Promise<Result<Created, DomainError>>,
  aside: (created: Created) => string = () => '',
): Promise<void> {
  const created = unwrap(await create());
  const { service, credential, secret } = created;
  const { id, expiresAt } = credential;
  const ending = expiresAt === null ? 'never expires' : `expires ${shortTime(expiresAt)}`;
  const said = aside(created);
  await to.printer.note(
    `Created the credential ${id} of the service ${service}, which ${ending}. ${said && `${said} `}Copy the credential now; it is not shown again:`,
  );
  await to.printer
    .secret(secret, { ...handedCredentialDocument(created), credential: secret })
    .catch((cause) => revokeLost(to, created, said, cause));
}

async function revokeLost(
  { gatehouse, caller }: HandOver,
  { service, credential: { id } }: HandedCredential,
  said: string,
  cause: unknown,
): Promise<never> {
  const revoked = await gatehouse.revokeServiceCredential(caller, { service, id }).catch(() => undefined);
  const message = revoked?.ok
    ? 'The credential could not be printed, so it was revoked.'
    : `The credential could not be printed, and could not be revoked: run \`gatehouse service credential revoke ${service} ${id}\`.`;
  throw new CommandError('fault', `${message} ${said}`.trimEnd(), { cause });
}
