import { serviceCreate } from './service/create.ts';
import { credentialCommands } from './service/credential.ts';
import { serviceDelete } from './service/delete.ts';
import { serviceList } from './service/list.ts';
import { scopeCommands } from './service/scope.ts';
import { serviceShow } from './service/show.ts';
import { serviceUpdate } from './service/update.ts';

export const commands = [
  serviceCreate,
  serviceList,
  serviceShow,
  serviceUpdate,
  serviceDelete,
  scopeCommands,
  credentialCommands,
];
