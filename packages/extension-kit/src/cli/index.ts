export * from './command.ts';
export type * from './layer.ts';
export * from './page-by-page.ts';
export * from './time.ts';
export * from './values.ts';
export type * from './view.ts';
