import { isOutside, type Networks } from '../networks/networks.ts';
import { type Caller, judge, networkNotAllowed, type Verdict, type Wanted } from './verdict.ts';

interface JudgedToken {
  readonly caller: Caller;
  /** Undefined if the token may be used from everywhere. */
  readonly networks?: Networks | undefined;
}

/** Decides by the networks of the token before its scopes, as Gatehouse does. */
export function judgeToken({ caller, networks }: JudgedToken, wanted: Wanted): Verdict {
  const { clientAddress } = wanted;
  if (networks && isOutside(networks, clientAddress)) return networkNotAllowed(clientAddress);
  return judge(caller, wanted);
}
