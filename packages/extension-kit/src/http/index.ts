export type * from './examples.ts';
export * from './handled-route.ts';
export * from './names.ts';
export * from './outcomes.ts';
export * from './paging.ts';
export * from './problems.ts';
export * from './route.ts';
export * from './schemas.ts';
