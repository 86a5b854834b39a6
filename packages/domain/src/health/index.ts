export { type CheckHealthPorts, checkHealth } from './check-health.ts';
export {
  databaseNotOpened,
  type Finding,
  type FindingCode,
  findingsOf,
  HEALTH_CHECKS,
  type HealthCheck,
  type HealthReport,
  type SkipReason,
  type TokenCount,
} from './health-report.ts';
export type { ChangeFeedProbe, FindMasterKey, SchemaState, StoreProbe } from './probes.ts';
