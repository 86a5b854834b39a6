export {
  type CheckHealthPorts,
  checkHealth,
  databaseNotOpened,
  describeFinding,
  describeOutcome,
  type Finding,
  type FindingCode,
  findingsOf,
  HEALTH_CHECKS,
  type HealthCheck,
  type HealthReport,
} from './health-report.ts';
export type { ChangeFeedProbe, FindMasterKey, SchemaState, StoreProbe } from './probes.ts';
