export type {
  BelongingCount,
  ExtensionSchemas,
  ExtensionState,
  LostBelongings,
  TableRows,
} from './extension-schemas.ts';
export {
  dropExtensionTables,
  findAccountBelongings,
  findBelongings,
  findExtensionTables,
} from './manage-extensions.ts';
