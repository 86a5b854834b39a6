import { fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import type { TokenId } from '@gatehouse/domain/tokens';
import { tracked } from '../../machine/children.ts';
import type { Directory } from '../../population/directory.ts';

export interface Order {
  readonly id: TokenId;
  /** The id of the admin who revokes. */
  readonly email: string;
}

export interface Acknowledgement {
  /** The time of the acknowledgement, by `steadyTime`. */
  readonly at: number;
}

const PROGRAM = fileURLToPath(new URL('revoker.ts', import.meta.url));

/** Starts the revoker: a process that shares nothing with the servers but the database. */
export function startRevoker({ stage, url }: Directory) {
  const settings = { DATABASE_URL: url, GATEHOUSE_MASTER_KEY: stage.masterKey };
  const child = tracked(fork(PROGRAM, { env: { ...process.env, ...settings } }));
  const exited = once(child, 'exit');
  const ended = exited.then(() => {
    throw new Error('the revoker ended');
  });
  ended.catch(() => undefined);
  return {
    async revoke(order: Order): Promise<Acknowledgement> {
      const acknowledged = once(child, 'message');
      child.send(order);
      const [acknowledgement] = await Promise.race([acknowledged, ended]);
      return acknowledgement;
    },
    async [Symbol.asyncDispose]() {
      if (child.connected) child.disconnect();
      await exited;
    },
  };
}
