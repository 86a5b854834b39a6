import type { CommandSet } from '../../described/description.ts';
import { policySet } from './policy-set.ts';
import { policyShow } from './policy-show.ts';

export const policyCommands: CommandSet = {
  name: 'policy',
  summary: 'Manage the rules of accounts for their tokens: lifetimes, scopes and networks',
  commands: [policyShow, policySet],
};
