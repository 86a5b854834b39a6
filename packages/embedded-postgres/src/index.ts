export { EmbeddedPostgresError, ForeignFolderError } from './embedded-postgres-error.ts';
export {
  type EmbeddedPostgres,
  type EmbeddedPostgresOptions,
  joinEmbeddedPostgres,
  openEmbeddedPostgres,
} from './open-embedded-postgres.ts';
