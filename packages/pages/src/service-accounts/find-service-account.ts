import { err, ok, type Result } from '@gatehouse/domain';
import { parseUserId, type ServiceAccount } from '@gatehouse/domain/users';
import type { PageUseCases } from '../page-use-cases.ts';
import type { PageRequest } from '../session/page-request.ts';
import { denied, type ErrorPage, errorPage } from '../view.ts';

/** Finds the service account whose id is in the address of the page, or returns the error page to show instead. */
export async function findServiceAccount(
  { showServiceAccount }: Pick<PageUseCases, 'showServiceAccount'>,
  { caller, params }: Pick<PageRequest, 'caller' | 'params'>,
): Promise<Result<ServiceAccount, ErrorPage>> {
  const id = parseUserId(params.id ?? '');
  if (id === undefined) return err(errorPage('not_found'));
  const found = await showServiceAccount(caller, id);
  return found.ok ? ok(found.value) : err(denied(found.error));
}
