export * from './health-report.ts';
export type * from './probes.ts';
