import { defineSteps } from '../../described/kinds.ts';
import { unwrap } from '../../errors/refusals.ts';
import { floorRows, policyRows, policyView } from '../../views/policy-view.ts';
import { ACCOUNT, accountOf, FLOOR } from './policy-account.ts';

export const policyShow = defineSteps({
  verb: 'show',
  summary: 'Show the rules of an account for its tokens, and the limits of the operator',
  arguments: { id: ACCOUNT },
  as: { description: 'Show the rules as this admin, who sees only their own account' },
  options: { floor: { description: `Show only ${FLOOR}` } },
  notes: [
    'The limits of the account and of the operator both hold: the rows "in effect" have the stricter ones.',
    'Sign-in tokens obey the longest lifetime of persons, but not the rules for scopes.',
  ],
  examples: [
    'gatehouse account policy show 1',
    'gatehouse account policy show --as ada@acme.example',
    'gatehouse account policy show --floor',
  ],
  prints: policyView,
  async steps(
    { showSecondFactorPolicy, showTokenFloor, showTokenPolicy },
    caller,
    { id, floor },
    { printer },
  ) {
    if (floor) return printer.list([floorRows(unwrap(await showTokenFloor(caller)))], policyView);
    const accountId = accountOf(caller, id);
    const policy = unwrap(await showTokenPolicy(caller, accountId));
    const secondFactor = unwrap(await showSecondFactorPolicy(caller, accountId));
    await printer.list([policyRows(policy)], policyView);
    await printer.note(
      secondFactor === 'admins'
        ? 'The account demands a second factor from its admins.'
        : 'The account demands a second factor from no user.',
    );
  },
});
