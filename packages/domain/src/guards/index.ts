export * from './guards.ts';
