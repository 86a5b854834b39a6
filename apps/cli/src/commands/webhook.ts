import { webhookCreate } from './webhook/create.ts';
import { webhookDelete } from './webhook/delete.ts';
import { webhookDisable, webhookEnable } from './webhook/enable.ts';
import { webhookList } from './webhook/list.ts';
import { webhookRotateSecret } from './webhook/rotate-secret.ts';
import { webhookShow } from './webhook/show.ts';
import { webhookTest } from './webhook/test.ts';
import { webhookUpdate } from './webhook/update.ts';

export const commands = [
  webhookCreate,
  webhookList,
  webhookShow,
  webhookUpdate,
  webhookTest,
  webhookRotateSecret,
  webhookDisable,
  webhookEnable,
  webhookDelete,
];
