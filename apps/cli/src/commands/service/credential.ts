import type { CommandSet } from '../../described/description.ts';
import { credentialCreate } from './credential/create.ts';
import { credentialList } from './credential/list.ts';
import { credentialRevoke } from './credential/revoke.ts';
import { credentialRotate } from './credential/rotate.ts';

export const credentialCommands: CommandSet = {
  name: 'credential',
  summary: 'Manage the credentials with which services ask Gatehouse about tokens',
  commands: [credentialCreate, credentialList, credentialRotate, credentialRevoke],
};
