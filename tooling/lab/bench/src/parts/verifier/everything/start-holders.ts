import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { type Program, startProgram } from '../start-program.ts';
import type { HoldersOrder, HoldersPlan, HoldersReport } from './messages.ts';

const PROGRAM = fileURLToPath(new URL('holders.ts', import.meta.url));

/** A process of verifiers that remember many tokens. */
export type Holders = Program<HoldersOrder, HoldersReport>;

export async function startHolders(plan: HoldersPlan, cores: string | undefined): Promise<Holders> {
  const holders: Holders = startProgram(PROGRAM, plan, cores);
  await Promise.race([once(holders.child, 'message'), holders.ended]);
  return holders;
}
