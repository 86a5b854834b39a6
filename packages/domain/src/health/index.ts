export { describeUnfit } from './check-properties.ts';
export * from './health-report.ts';
export type * from './probes.ts';
