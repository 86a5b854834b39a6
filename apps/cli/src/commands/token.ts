import { tokenCreate } from './token/create.ts';
import { tokenList, tokenWatch } from './token/list.ts';
import { tokenPrune } from './token/prune.ts';
import { tokenRevoke } from './token/revoke.ts';
import { tokenRotate } from './token/rotate.ts';
import { tokenInspect, tokenShow } from './token/show.ts';
import { tokenUpdate } from './token/update.ts';

export const TOKEN_COMMANDS = [
  tokenCreate,
  tokenList,
  tokenShow,
  tokenInspect,
  tokenUpdate,
  tokenRevoke,
  tokenRotate,
  tokenWatch,
  tokenPrune,
];
