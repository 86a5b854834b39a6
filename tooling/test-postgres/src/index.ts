export { startTestPostgres } from './start-test-postgres.ts';
export type { TestPostgres } from './test-postgres.ts';
