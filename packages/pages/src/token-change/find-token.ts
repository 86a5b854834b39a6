import { err, type Result } from '@gatehouse/domain';
import { parseTokenId, type TokenInUse } from '@gatehouse/domain/tokens';
import type { PageUseCases } from '../page-use-cases.ts';
import type { PageRequest } from '../session/page-request.ts';
import { denied, type Problem, problem } from '../view.ts';

/** Finds the token that the page's address names, or a problem to show instead. */
export async function findToken(
  { showTokenUse }: Pick<PageUseCases, 'showTokenUse'>,
  { caller, params }: PageRequest,
): Promise<Result<TokenInUse, Problem>> {
  const id = parseTokenId(params.id ?? '');
  if (id === undefined) return err(problem('not_found'));
  const found = await showTokenUse(caller, id);
  if (found.ok) return found;
  return err(found.error.code === 'token_not_found' ? problem('not_found') : denied(found.error));
}
