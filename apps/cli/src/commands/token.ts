import { tokenApplyPolicy } from './token/apply-policy.ts';
import { tokenCreate } from './token/create.ts';
import { tokenGive } from './token/give.ts';
import { tokenInspect } from './token/inspect.ts';
import { tokenList } from './token/list.ts';
import { networkCommands } from './token/networks.ts';
import { tokenPrune } from './token/prune.ts';
import { tokenRevoke } from './token/revoke.ts';
import { tokenRotate } from './token/rotate.ts';
import { tokenShow } from './token/show.ts';
import { tokenUpdate } from './token/update.ts';
import { tokenWatch } from './token/watch.ts';

export const commands = [
  tokenCreate,
  tokenList,
  tokenShow,
  tokenInspect,
  tokenUpdate,
  tokenGive,
  networkCommands,
  tokenRevoke,
  tokenRotate,
  tokenWatch,
  tokenApplyPolicy,
  tokenPrune,
];
