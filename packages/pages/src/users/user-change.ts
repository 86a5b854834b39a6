import { err, ok, type Result } from '@gatehouse/domain';
import { parseUserId, type User } from '@gatehouse/domain/users';
import { backTo } from '../elements/part.ts';
import type { Found, PageUseCases } from '../page-use-cases.ts';
import { pathOfUser } from '../paths.ts';
import type { PageRequest } from '../session/page-request.ts';
import { denied, type ErrorPage, errorPage } from '../view.ts';

export type ShownUser = Found<'showUser'>;

/** Finds the user whose id is in the address of the page, or returns the error page to show instead. */
export async function findUser(
  { showUser }: Pick<PageUseCases, 'showUser'>,
  { caller, params }: Pick<PageRequest, 'caller' | 'params'>,
): Promise<Result<ShownUser, ErrorPage>> {
  const id = parseUserId(params.id ?? '');
  if (id === undefined) return err(errorPage('not_found'));
  const found = await showUser(caller, { id });
  return found.ok ? ok(found.value) : err(denied(found.error));
}

/** The title of a page that changes a user, such as `Disable Ada`, and the link back to the user. */
export function changeFrame(deed: string, user: Pick<User, 'id' | 'kind' | 'name'>) {
  const label = user.kind === 'service' ? 'Back to the service account' : 'Back to the user';
  return { title: `${deed} ${user.name}`, above: backTo(pathOfUser(user), label) };
}

/** Whether the page is about the user who opened it. */
export const isSelf = (request: Pick<PageRequest, 'user'>, { id }: Pick<User, 'id'>) =>
  request.user.id === id;

/** The message if the user is the last admin of the account. */
export const LAST_ADMIN =
  'This user is the last active admin of your account, so nothing was changed. Make another user an admin first.';
