import type { Provenance } from '../core/question.ts';
import { type Gatehouse, readJson } from '../gatehouse.ts';
import { DECLARED, readConditions } from '../networks/conditions.ts';
import type { Networks } from '../networks/networks.ts';
import { retryAfterOf } from '../retry-after.ts';
import { type Caller, frozen } from '../verdict/verdict.ts';
import { id, isAddress, number, text } from '../wire.ts';

/** The answer of Gatehouse about a token that it accepts. */
export interface ActiveToken {
  readonly caller: Caller;
  /** From when it is not accepted, in milliseconds since 1970; infinite if it never expires. */
  readonly expiresAt: number;
  /** The only networks from which it is accepted; undefined if it may be used from everywhere. */
  readonly networks?: Networks | undefined;
}

export type Introspection = 'inactive' | (ActiveToken & { readonly provenance: Provenance });

/** Gatehouse did not say whether the token is active. */
export class NoAnswer extends Error {
  readonly retryAfter: number;

  /** @param retryAfter in seconds */
  constructor(reason: string, retryAfter = 1) {
    super(reason);
    this.retryAfter = retryAfter;
  }
}

const MAX_BYTES = 64 * 1024;

/** A question to Gatehouse about a token. It counts as a use of the token there. */
export interface Asked {
  readonly token: string;
  /** The address of the client that sent the token. */
  readonly clientAddress: string | undefined;
}

/** Introspects a token (RFC 7662). @throws NoAnswer */
export async function introspect(
  gatehouse: Gatehouse,
  { token, clientAddress }: Asked,
  timeoutMs: number,
): Promise<Introspection> {
  const signal = AbortSignal.timeout(timeoutMs);
  try {
    const form = {
      token,
      depends: '1',
      conditions: DECLARED.join(' '),
      ...(isAddress(clientAddress) && { client_address: clientAddress }),
    };
    const response = await gatehouse.postForm('/api/v1/introspect', form, signal);
    if (response.status === 429 || response.status === 503) {
      await response.body?.cancel();
      throw new NoAnswer(`Gatehouse answered ${response.status}`, retryAfterOf(response));
    }
    return toIntrospection((await readJson(response, MAX_BYTES)) as Record<string, unknown>);
  } catch (error) {
    if (error instanceof NoAnswer) throw error;
    // The message of a parser quotes the answer, which may have the token in it.
    const isJson = !(error instanceof SyntaxError);
    throw new NoAnswer(isJson && error instanceof Error ? error.message : 'the answer is no JSON');
  }
}

/** @throws if it is no answer of introspection */
export function toIntrospection(answer: Record<string, unknown>): Introspection {
  if (answer['active'] === false) return 'inactive';
  if (answer['active'] !== true) throw new TypeError('the answer does not say whether the token is active');
  const own = answer['gatehouse'] as Record<string, unknown>;
  const networks = readConditions(own['conditions']);
  // A later Gatehouse may have conditions that this verifier cannot decide.
  if (networks === 'unknown') return 'inactive';
  const depends = own['depends'] as Record<string, unknown>[] | undefined;
  return {
    caller: frozen({
      user: id(own['user']),
      account: id(own['account']),
      role: text(own['role']),
      token: text(answer['jti']),
      scopes: text(answer['scope']).split(' '),
    }),
    ...(networks && { networks }),
    expiresAt: answer['exp'] === undefined ? Number.POSITIVE_INFINITY : number(number(answer['exp']) * 1000),
    provenance: {
      // An older server does not say what its answer depends on. No stream tells an empty kind, so it is never
      // remembered.
      database: typeof own['database'] === 'string' ? own['database'] : '',
      dependencies: depends?.map(({ kind, handle }) => ({ kind: text(kind), handle: text(handle) })) ?? [
        { kind: '', handle: '' },
      ],
    },
  };
}
