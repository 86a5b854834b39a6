import type { AccessDenied } from '../../access/authorize.ts';
import type { RefusedCaller } from '../../access/caller.ts';
import type { UsageRecorder } from '../usage/token-usage.ts';
import type { TokenCaller } from './token-caller.ts';

/** Records that an accepted token was denied what it asked for. */
export function recordDenial(
  usage: Pick<UsageRecorder, 'refused'>,
  caller: TokenCaller | RefusedCaller,
  { code }: AccessDenied,
): void {
  if (caller.kind === 'refused' || code === 'token_not_accepted' || code === 'not_found') return;
  usage.refused(caller.token.id, caller.acceptedAt, code);
}
