import type { AccountId } from '@gatehouse/domain/accounts';
import { START } from '@gatehouse/domain/testing';
import type { Extension } from '@gatehouse/extension-kit';
import type { GuardedAction, GuardedRequests, GuardFacts } from '@gatehouse/extension-kit/domain';
import { createGuards } from '@gatehouse/installation';

/** The facts that a test does not give. */
const FACTS: GuardFacts = { accountId: 1 as AccountId, by: { user: null, operator: true }, at: START };

/**
 * Asks the guards of an extension, and returns the code of the refusal; undefined if they allow the request. The test
 * gives the parts of the request that the guards read.
 *
 * @throws what a guard throws
 */
export async function askGuards<Action extends GuardedAction>(
  extension: Extension,
  action: Action,
  request: Partial<GuardedRequests[Action]>,
  facts: Partial<GuardFacts> = {},
): Promise<string | undefined> {
  const failures: unknown[] = [];
  const guards = createGuards([extension], { report: (_name, _action, error) => void failures.push(error) });
  // The guards of a test read no other part.
  const asked = await guards.check(action, request as GuardedRequests[Action], { ...FACTS, ...facts });
  if (failures.length > 0) throw failures[0];
  return !asked.ok && 'refusal' in asked.error ? asked.error.refusal : undefined;
}
