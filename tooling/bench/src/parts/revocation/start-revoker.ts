import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import type { TokenId } from '@gatehouse/domain/tokens';
import { tracked } from '../../machine/children.ts';

export interface Order {
  readonly id: TokenId;
  /** The id of the admin who revokes. */
  readonly email: string;
}

export interface Acknowledgement {
  /** The time of the acknowledgement, by `steadyTime`. */
  readonly at: number;
}

export interface Revoker extends AsyncDisposable {
  revoke(order: Order): Promise<Acknowledgement>;
}

const PROGRAM = fileURLToPath(new URL('revoker.ts', import.meta.url));

/** Starts the revoker: a process that shares nothing with the servers but the database. */
export function startRevoker(databaseUrl: string): Revoker {
  const child = tracked(
    spawn(process.execPath, [PROGRAM, databaseUrl], { stdio: ['pipe', 'pipe', 'inherit'] }),
  );
  const exited = once(child, 'exit');
  const answers = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  return {
    async revoke(order) {
      child.stdin.write(`${JSON.stringify(order)}\n`);
      const { value } = await answers.next();
      if (value === undefined) throw new Error(`the revocation of ${order.id} was not acknowledged`);
      return JSON.parse(value);
    },
    async [Symbol.asyncDispose]() {
      child.stdin.end();
      await exited;
    },
  };
}
