import type { AuditAction, AuditEvent } from '@gatehouse/domain/audit';
import type { SigningKey } from '@gatehouse/domain/signing-keys';
import {
  A_GUARD,
  anEvent,
  aRevocation,
  aSigningKey,
  aSuccessor,
  aToken,
  givenAdmins,
  START,
} from '@gatehouse/domain/testing';
import type { Token, TokenRepository } from '@gatehouse/domain/tokens';
import type { PasswordHash, User } from '@gatehouse/domain/users';
import type { Database } from '../src/database/database.ts';
import { GATE_HOLDS, type Hold, type Part, type Side, type Stage } from './stage.ts';

interface Scene {
  readonly owner: User;
  /** Rotates a token of the owner, or is the owner. */
  readonly maker: User;
  readonly heir: User;
  readonly old: Token;
  /** Signs only the created token. */
  readonly key: SigningKey;
}

/** A change that ends tokens, prevents their creation, or transfers them. */
interface Ender {
  readonly action: AuditAction;
  /** The row for which both sides wait. */
  row(scene: Scene): Omit<Extract<Hold, { at: 'row' }>, 'at'>;
  end(store: Side['store'], scene: Scene, event: AuditEvent): Promise<{ readonly ok: boolean }>;
}

const accountRow = ({ owner }: Scene) => ({ table: 'accounts', id: owner.accountId }) as const;

const ENDERS = {
  revoke: {
    action: 'token.revoked',
    row: ({ old }) => ({ table: 'tokens', id: old.id }),
    end: ({ tokens }, { old }, event) => tokens.revoke(old.id, aRevocation(), event),
  },
  disable: {
    action: 'user.disabled',
    row: accountRow,
    end: ({ users }, { owner }, event) => users.disable(owner.id, aRevocation(), event),
  },
  transfer: {
    action: 'user.disabled',
    row: accountRow,
    end: ({ users }, { owner, heir }, event) =>
      users.disable(owner.id, aRevocation(), event, { transferTo: heir.id }),
  },
  suspend: {
    action: 'account.suspended',
    row: accountRow,
    end: ({ accounts }, { owner }, event) => accounts.suspend(owner.accountId, START, event),
  },
  setPassword: {
    action: 'user.password_set',
    row: ({ owner }) => ({ table: 'users', id: owner.id }),
    end: ({ users }, { owner }, event) =>
      users.setPassword(owner.id, '$test$new' as PasswordHash, aRevocation(), event),
  },
  demoteMaker: {
    action: 'user.role_set',
    row: accountRow,
    end: ({ users }, { maker }, event) => users.setRole(maker.id, 'member', () => event),
  },
  disableMaker: {
    action: 'user.disabled',
    row: accountRow,
    end: ({ users }, { maker }, event) => users.disable(maker.id, aRevocation(), event),
  },
  retire: {
    action: 'key.retired',
    row: ({ key }) => ({ table: 'signing_keys', id: key.id }),
    end: ({ signingKeys }, { key }, event) => signingKeys.retire(key.id, START, aRevocation(), event),
  },
} satisfies Record<string, Ender>;

const CREATION_REFUSALS = {
  disable: 'creator_not_fit',
  suspend: 'creator_not_fit',
  retire: 'key_not_usable',
};

/** The races: what is created, what ends it, and how the creation is refused if the end came first. */
const REFUSALS = {
  api: { ...CREATION_REFUSALS, setPassword: undefined, demoteMaker: 'creator_not_fit' },
  'sign-in': { ...CREATION_REFUSALS, setPassword: 'password_changed' },
  successor: {
    revoke: 'token_not_rotatable',
    disable: 'token_not_rotatable',
    transfer: 'creator_not_fit',
    suspend: 'creator_not_fit',
    retire: 'key_not_usable',
    demoteMaker: 'not_allowed',
    disableMaker: 'not_allowed',
  },
} satisfies Record<string, { readonly [ender in keyof typeof ENDERS]?: string | undefined }>;

export interface Pair {
  readonly created: keyof typeof REFUSALS;
  readonly ender: keyof typeof ENDERS;
  /** The code of the refusal if the end came first; undefined if the two do not affect each other. */
  readonly refusal: string | undefined;
}

export const PAIRS: readonly Pair[] = Object.entries(REFUSALS).flatMap(([created, refusals]) =>
  Object.entries(refusals).map(([ender, refusal]) => ({ created, ender, refusal }) as Pair),
);

/** Creates a token while another transaction ends it, in every staging, with the repository under test. */
export async function raceForToken(
  stage: Stage,
  tokensOf: (database: Database) => TokenRepository,
  pair: Pair,
): Promise<{ readonly made: number; readonly races: number; readonly violations: readonly string[] }> {
  const { created, ender } = pair;
  const { action, row, end }: Ender = ENDERS[ender];
  let [made, races] = [0, 0];
  const violations: string[] = [];
  for (const begins of ['one', 'other'] as const) {
    for (const holdAt of ['row', ...GATE_HOLDS] as const) {
      const scene = await setScene(stage, pair);
      const { owner, maker, old, key } = scene;
      const successor = aSuccessor(old, { keyId: key.id });
      const token = created === 'successor' ? successor : aToken(owner, key, { kind: created });
      const create: Part<Awaited<ReturnType<TokenRepository['rotate' | 'insert' | 'insertSignIn']>>> = (
        side,
      ) => {
        const { event } = side;
        const tokens = tokensOf(side.database);
        if (created === 'successor')
          return tokens.rotate(successor, { by: maker.id }, [event({ action: 'token.rotated' })]);
        const cause = event({ action: 'token.created' });
        return created === 'sign-in'
          ? tokens.insertSignIn(token, A_GUARD, cause)
          : tokens.insert(token, cause);
      };
      const ending: Part<{ readonly ok: boolean }> = ({ store, event }) =>
        end(store, scene, event({ action }));
      const hold: Hold = holdAt === 'row' ? { at: 'row', ...row(scene) } : holdAt;
      const [creation, ended] = await stage.race(create, ending, hold, begins);
      races += 1;
      if (creation.ok) made += 1;
      if (!ended.ok) violations.push(`${ender} was refused`);
      const refusal = creation.ok ? undefined : creation.error.code;
      violations.push(...(await judge(stage, pair, scene, token, refusal)));
    }
  }
  return { made, races, violations };
}

async function setScene({ store }: Stage, { created }: Pair): Promise<Scene> {
  const [heir, owner] = await givenAdmins(store);
  const keys = [1, 2].map(() => aSigningKey({ state: 'verify-only', activatedAt: START }));
  for (const key of keys) await store.signingKeys.insert(key, anEvent());
  const [first, key] = keys as [SigningKey, SigningKey];
  const old = aToken(owner, first);
  await store.tokens.insert(old, anEvent());
  return { owner, maker: created === 'successor' ? heir : owner, heir, old, key };
}

async function judge(
  { store }: Stage,
  { created, ender, refusal }: Pair,
  { heir }: Scene,
  { id }: Token,
  refused: string | undefined,
): Promise<readonly string[]> {
  const record = await store.tokens.findRecord(id);
  if (refused !== undefined) {
    return [
      ...(record ? ['what was refused has a record'] : []),
      ...(refused === refusal ? [] : [`refused as ${refused}`]),
    ];
  }
  if (!record) return ['what was accepted has no record'];
  if (refusal === undefined) return [];
  const violations: string[] = [];
  // A suspension, the revocation of a predecessor and the end of an admin who is not the owner do not change the
  // token itself.
  const revokes = ender === 'disable' || ender === 'retire' || ender === 'setPassword';
  if (revokes && !record.revocation) violations.push(`the token outlives ${ender}`);
  if (ender === 'transfer' && record.userId !== heir.id) violations.push('the token stays with who is gone');
  // The newest are first; transactions that wait for each other are recorded in the order of their commits.
  const actions = (await store.audit.list({ limit: 10 })).map(({ event }) => event.action);
  const creation = created === 'successor' ? 'token.rotated' : 'token.created';
  if (actions.indexOf(creation) < actions.indexOf(ENDERS[ender].action)) {
    violations.push(`the token was made after ${ender}`);
  }
  return violations;
}
