export { describeUnfit } from './check-properties.ts';
export type { CheckHealthPorts, Finding, HealthCheck, HealthReport } from './health-report.ts';
export {
  checkHealth,
  databaseNotOpened,
  describeFinding,
  describeOutcome,
  findingsOf,
  HEALTH_CHECKS,
} from './health-report.ts';
export type {
  ChangeFeedProbe,
  ExtensionRoute,
  FindMasterKey,
  FindOpenRoutes,
  SchemaState,
  StoreProbe,
  UnfitProperty,
} from './probes.ts';
