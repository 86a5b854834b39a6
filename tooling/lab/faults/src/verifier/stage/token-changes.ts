import { randomUUID } from 'node:crypto';
import type { NarrowScope } from '@gatehouse/domain/access';
import type { AccountId } from '@gatehouse/domain/accounts';
import { adminOf, type IssuedToken } from '../../stage/admin.ts';
import type { Settings } from '../../stage/node.ts';
import { OPERATOR, unwrap } from '../../stage/store.ts';
import type { Signs } from './judge.ts';
import { READ, type Scene, SERVICE } from './scene.ts';
import { DEPENDS_ON_TOKEN_ONLY, FORGETS_CHANGES } from './wrong-verifiers.ts';

/** Tokens, and a change that decides on them. */
export interface PreparedChange extends Signs {
  /** The scope that the service asks for. */
  readonly scope?: string;
  issue(): Promise<IssuedToken>;
  change(): Promise<unknown>;
  /** Undoes the change where others would see it. */
  undo?(): Promise<unknown>;
}

export interface TokenChange {
  readonly what: string;
  prepare(scene: Scene): Promise<PreparedChange>;
  /** A verifier that the change harms, and its settings. */
  readonly twin: string;
  readonly verifier: Settings;
}

/** Creates an account with an admin, or another admin of an account. */
async function anotherAdmin({ store }: Scene, of?: AccountId) {
  const accountId = of ?? unwrap(await store.createAccount(OPERATOR, { name: randomUUID() })).id;
  const email = `${randomUUID()}@acme.example`;
  const user = { accountId, email, name: 'Grace', role: 'admin', password: 'a light press, thrice' } as const;
  const { id } = unwrap(await store.createUser(OPERATOR, user));
  const admin = await adminOf(store, email);
  return { accountId, email, userId: id, issue: () => admin.issue({ scopes: [READ] }) };
}

const BY_TOKEN_ONLY = {
  twin: 'a verifier that remembers by the token alone',
  verifier: DEPENDS_ON_TOKEN_ONLY,
} as const;

export const TOKEN_CHANGES: readonly TokenChange[] = [
  {
    what: 'a transfer to another user',
    async prepare(scene) {
      const { email: transferTo, store } = scene;
      const { accountId } = unwrap(await store.findUser(OPERATOR, transferTo));
      const { email, userId, issue } = await anotherAdmin(scene, accountId);
      return {
        issue,
        change: async () => unwrap(await store.disableUser(OPERATOR, { email, reason: null, transferTo })),
        isOld: ({ status, user }) => status === 200 && user === userId,
      };
    },
    twin: 'a verifier that ignores changes during a question',
    verifier: FORGETS_CHANGES,
  },
  {
    what: 'a scope that is removed',
    async prepare({ store, admin }) {
      const scope = `${SERVICE}:s${randomUUID()}` as NarrowScope;
      unwrap(await store.addServiceScope(OPERATOR, { scope, label: 'Once', allows: 'For a while.' }));
      return {
        scope,
        issue: () => admin.issue({ scopes: [READ, scope] }),
        change: async () => unwrap(await store.removeServiceScope(OPERATOR, scope)),
      };
    },
    ...BY_TOKEN_ONLY,
  },
  {
    what: 'a service that is closed to the account',
    async prepare(scene) {
      const { store, email } = scene;
      const { issue } = await anotherAdmin(scene);
      const { accountId } = unwrap(await store.findUser(OPERATOR, email));
      const open = (openTo: 'all' | { only: AccountId[] }) =>
        store.updateService(OPERATOR, { name: SERVICE, openTo });
      return {
        issue,
        change: async () => unwrap(await open({ only: [accountId] })),
        undo: async () => unwrap(await open('all')),
      };
    },
    ...BY_TOKEN_ONLY,
  },
  {
    what: 'an account that is suspended',
    async prepare(scene) {
      const { accountId: id, issue } = await anotherAdmin(scene);
      return {
        issue,
        change: async () => unwrap(await scene.store.suspendAccount(OPERATOR, { id, reason: null })),
      };
    },
    ...BY_TOKEN_ONLY,
  },
];
