export type * from './editions.ts';
